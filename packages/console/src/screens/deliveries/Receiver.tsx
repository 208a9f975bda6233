import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Endpoint } from '../../endpoints/endpoint';
import { EndpointActions } from '../../endpoints/EndpointActions';
import { EndpointHealth } from '../../endpoints/EndpointHealth';
import { judged, type FaringEndpoint } from '../../endpoints/judgement';
import { webhooks } from '../../endpoints/words';
import { Status } from '../../shared/status';
import { Refused } from '../../shared/told';

interface ReceiverProps {
  endpoint: Endpoint | null;
  /** The same with how it fares; null where that is not known. */
  faring: FaringEndpoint | null;
  isDeleted: boolean;
  error: unknown;
}

/** The endpoint that it goes to, and what can be done about all that goes there. */
export function Receiver({ endpoint, faring, isDeleted, error }: ReceiverProps) {
  return (
    <Stack gap="xs" component="section" aria-labelledby="receiver">
      <Title order={2} size="h4" id="receiver">
        Its endpoint
      </Title>
      <Refused error={error} />
      {isDeleted && <Text size="sm">It was deleted: nothing is sent there any more.</Text>}
      {endpoint !== null && <There endpoint={endpoint} faring={faring} />}
    </Stack>
  );
}

function There({ endpoint, faring }: { endpoint: Endpoint; faring: FaringEndpoint | null }) {
  const { id, url, state, deliveries } = endpoint;
  return (
    <>
      <Group gap="sm">
        <span className="mono">{url}</span>
        <Status of={faring === null ? state : judged(faring)} />
      </Group>
      {faring !== null && <EndpointHealth endpoint={faring} />}
      <Text size="sm">
        {faring === null && `${webhooks(deliveries.failed)} given up, ${webhooks(deliveries.held)} held. `}
        <Anchor renderRoot={(props) => <Link to="/deliveries" search={{ endpoint: id }} {...props} />} size="sm" underline="always">
          All of its deliveries
        </Anchor>
      </Text>
      <EndpointActions endpoint={endpoint} pending={faring?.health.pending ?? 0} />
    </>
  );
}
