import { Group } from '@mantine/core';
import { ChangeAddress } from './Address';
import { Disable } from './Disable';
import { Enable } from './Enable';
import type { Endpoint } from './endpoint';
import { Ping } from './Ping';
import { Recover } from './Recover';
import { Remove } from './Remove';
import { NewSecret } from './Secret';
import { hostOf } from './words';

/** What can be done to a client's endpoint when its webhooks do not arrive; with `all`, also what changes it. */
export function EndpointActions({ endpoint, all = false }: { endpoint: Endpoint; all?: boolean }) {
  return (
    <Group gap="xs" role="group" aria-label={`What can be done with ${hostOf(endpoint.url)}`}>
      <Ping endpoint={endpoint} />
      {endpoint.state === 'disabled' && <Enable endpoint={endpoint} />}
      <Recover endpoint={endpoint} />
      {all && (
        <>
          <ChangeAddress endpoint={endpoint} />
          <NewSecret endpoint={endpoint} />
        </>
      )}
      {endpoint.state === 'enabled' && <Disable endpoint={endpoint} />}
      {all && <Remove endpoint={endpoint} />}
    </Group>
  );
}
