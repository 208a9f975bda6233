import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Endpoint } from '../../endpoints/endpoint';
import { EndpointActions } from '../../endpoints/EndpointActions';
import { webhooks } from '../../endpoints/words';
import { Status } from '../../shared/status';
import { Refused } from '../../shared/told';

/** The endpoint that it goes to, and what can be done about all that goes there. */
export function Receiver({ endpoint, isDeleted, error }: { endpoint: Endpoint | null; isDeleted: boolean; error: unknown }) {
  return (
    <Stack gap="xs" component="section" aria-labelledby="receiver">
      <Title order={2} size="h4" id="receiver">
        Its endpoint
      </Title>
      <Refused error={error} />
      {isDeleted && <Text size="sm">It was deleted: nothing is sent there any more.</Text>}
      {endpoint !== null && <There endpoint={endpoint} />}
    </Stack>
  );
}

function There({ endpoint }: { endpoint: Endpoint }) {
  const { id, url, state, disabledReason, consecutiveFailures, deliveries } = endpoint;
  return (
    <>
      <Group gap="sm">
        <span className="mono">{url}</span>
        <Status of={state} />
      </Group>
      <Text size="sm">
        {state === 'disabled' && `Disabled${disabledReason === null ? '' : `: ${disabledReason}`}. `}
        {webhooks(deliveries.failed)} given up, {webhooks(deliveries.held)} held.{' '}
        {consecutiveFailures > 0 && `${consecutiveFailures} in a row were given up; after twenty it is disabled by itself. `}
        <Anchor renderRoot={(props) => <Link to="/deliveries" search={{ endpoint: id }} {...props} />} size="sm" underline="always">
          All of its deliveries
        </Anchor>
      </Text>
      <EndpointActions endpoint={endpoint} />
    </>
  );
}
