import { Group } from '@mantine/core';
import { Offered } from '../shared/action';
import { ChangeAddress } from './Address';
import { Disable } from './Disable';
import { Enable } from './Enable';
import type { Endpoint } from './endpoint';
import { Ping } from './Ping';
import { Recover } from './Recover';
import { Remove } from './Remove';
import { NewSecret } from './Secret';
import { SendWaiting } from './SendWaiting';
import { hostOf } from './words';

interface ActionsProps {
  endpoint: Endpoint;
  /** How many webhooks are still tried there. */
  pending?: number;
  all?: boolean;
}

/** What can be done to a client's endpoint when its webhooks do not arrive; with `all`, also what changes it. */
export function EndpointActions({ endpoint, pending = 0, all = false }: ActionsProps) {
  return (
    <Group gap="xs" role="group" aria-label={`What can be done with ${hostOf(endpoint.url)}`}>
      <Ping endpoint={endpoint} />
      {endpoint.state === 'disabled' && <Enable endpoint={endpoint} />}
      <Offered value={endpoint.state === 'enabled' && pending > 0}>
        <SendWaiting endpoint={endpoint} />
      </Offered>
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
