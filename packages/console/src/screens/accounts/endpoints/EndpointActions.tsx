import { Group } from '@mantine/core';
import { ask, studio } from '../../../api/studio';
import { Action } from '../../../shared/action';
import type { Healthy } from './Endpoint';
import { Disable, Enable } from './EnableDisable';
import { Ping } from './Ping';
import { Recover } from './Recover';
import { Rotate } from './Rotate';
import { ChangeUrl } from './ChangeUrl';

/** What can be done with an endpoint, as it is now. */
export function EndpointActions({ endpoint }: { endpoint: Healthy }) {
  return (
    <Group gap="xs">
      <Ping endpoint={endpoint} />
      <Recover endpoint={endpoint} />
      {endpoint.state === 'enabled' ? <Disable endpoint={endpoint} /> : <Enable endpoint={endpoint} />}
      <ChangeUrl endpoint={endpoint} />
      <Rotate endpoint={endpoint} />
      <Delete endpoint={endpoint} />
    </Group>
  );
}

function Delete({ endpoint: { id, url } }: { endpoint: Healthy }) {
  return (
    <Action
      label="Delete"
      title={`Delete ${url}`}
      danger
      says={[
        'Nothing is sent there any more, and nothing that happens from now on is kept for it. What is still being tried is held.',
        'Its deliveries stay to be looked at. It cannot be taken back; to stop for a while, disable it instead. The client is not told.',
      ]}
      run={() => ask(studio.DELETE('/webhook-endpoints/{id}', { params: { path: { id } } }))}
      done={() => 'The endpoint is deleted'}
    />
  );
}
