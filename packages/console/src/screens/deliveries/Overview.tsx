import { Anchor, Collapse, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { page, type Page, studio } from '../../api/studio';
import type { Environment } from '../../api/types';
import { EndpointActions } from '../../endpoints/EndpointActions';
import { EndpointHealth } from '../../endpoints/EndpointHealth';
import { type FaringEndpoint, isWell, judged, JUDGEMENTS, waitingAt } from '../../endpoints/judgement';
import { hostOf, webhooks } from '../../endpoints/words';
import { useEnvironment } from '../../session/environment';
import { AccountLink } from '../../shared/orders';
import { Section } from '../../shared/section';
import { Status } from '../../shared/status';
import { Nothing, Refused, Waiting } from '../../shared/told';
import { To } from '../../shared/to';

const PAGES = 5;

interface Read {
  endpoints: FaringEndpoint[];
  isAll: boolean;
}

/** Endpoints of live orders, or of test orders, with how each fares: those with trouble first; `isAll` where none is left out. */
export function useEndpoints() {
  const [environment] = useEnvironment();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['endpoints', 'all', environment],
    queryFn: () => readAll(environment),
  });
  return { endpoints: data?.endpoints ?? [], isAll: data?.isAll ?? true, error, isPending, refetch };
}

async function readAll(environment: Environment): Promise<Read> {
  const [failing, all] = await Promise.all([read(environment, 'true'), read(environment)]);
  const known = new Set(failing.endpoints.map(({ id }) => id));
  return {
    endpoints: [...failing.endpoints, ...all.endpoints.filter(({ id }) => !known.has(id))],
    isAll: failing.isAll && all.isAll,
  };
}

async function read(environment: Environment, failing?: 'true'): Promise<Read> {
  const endpoints: FaringEndpoint[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < PAGES; pages++) {
    const query = { environment, limit: 100, ...(failing && { failing }), cursor };
    const next: Page<FaringEndpoint[]> = await page(studio.GET('/webhook-endpoints', { params: { query } }));
    endpoints.push(...next.rows);
    if (next.nextCursor === null) return { endpoints, isAll: true };
    cursor = next.nextCursor;
  }
  return { endpoints, isAll: false };
}

const SHOWN = 6;

/** How clients' servers fare: those with trouble first, each with what can be done; the others only when asked for. */
export function Overview() {
  const { endpoints, isAll, error, isPending, refetch } = useEndpoints();
  const [shown, { toggle }] = useDisclosure(false);
  const [all, { toggle: toggleAll }] = useDisclosure(false);
  const sorted = JUDGEMENTS.flatMap((judgement) => endpoints.filter((endpoint) => judged(endpoint) === judgement));
  const [troubled, well] = [sorted.filter((endpoint) => !isWell(judged(endpoint))), sorted.filter((endpoint) => isWell(judged(endpoint)))];
  const allWork = well.every((endpoint) => judged(endpoint) === 'works');
  if (isPending) return <Waiting what="Asking how the clients' servers fare" />;
  if (error !== null && endpoints.length === 0) return <Refused error={error} retry={() => void refetch()} />;
  if (endpoints.length === 0) return <Nothing>No client hears by webhook yet: an endpoint is registered with an account.</Nothing>;
  return (
    <Section title={headingOf(troubled, allWork)} size="h4">
      <Cards endpoints={all ? troubled : troubled.slice(0, SHOWN)} />
      {troubled.length > SHOWN && (
        <Group>
          <Anchor component="button" size="sm" onClick={toggleAll} aria-expanded={all}>
            {all ? 'Show only the worst' : `Show all ${troubled.length} with trouble`}
          </Anchor>
        </Group>
      )}
      {well.length > 0 && (
        <Group>
          <Anchor component="button" size="sm" onClick={toggle} aria-expanded={shown}>
            {shown ? 'Show only those with trouble' : `Show the ${well.length} ${wellInWords(well.length, allWork)}`}
          </Anchor>
        </Group>
      )}
      <Collapse expanded={shown}>{shown && <Cards endpoints={well} />}</Collapse>
      {!isAll && (
        <Text size="sm">
          Of more than five hundred endpoints, those with trouble and the newest are shown here; the others are with their accounts.
        </Text>
      )}
    </Section>
  );
}

/** What waits at one that works again is not hidden by that. */
function headingOf(troubled: readonly FaringEndpoint[], allWork: boolean): string {
  if (troubled.length === 0) return allWork ? 'Every endpoint works' : 'No endpoint has trouble';
  const [first] = troubled;
  if (first === undefined || troubled.length > 1 || judged(first) !== 'waiting') return `Endpoints with trouble: ${troubled.length}`;
  return `${hostOf(first.url)} has ${webhooks(waitingAt(first))} waiting`;
}

/** Of one that was not used yet nobody knows whether it works. */
function wellInWords(count: number, allWork: boolean): string {
  if (!allWork) return 'without trouble';
  return count === 1 ? 'that works' : 'that work';
}

function Cards({ endpoints }: { endpoints: readonly FaringEndpoint[] }) {
  if (endpoints.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} spacing="sm">
      {endpoints.map((endpoint) => (
        <EndpointCard key={endpoint.id} endpoint={endpoint} />
      ))}
    </SimpleGrid>
  );
}

function EndpointCard({ endpoint }: { endpoint: FaringEndpoint }) {
  const { id, url, accountId, accountName } = endpoint;
  return (
    <Paper withBorder p="sm" component="article" aria-label={hostOf(url)}>
      <Stack gap={6}>
        <Group justify="space-between" gap="xs">
          <Title order={3} size="h5" title={url} className="anywhere">
            {hostOf(url)}
          </Title>
          <Status of={judged(endpoint)} />
        </Group>
        <Group gap="md">
          <AccountLink id={accountId} name={accountName} size="sm" />
          <To to="/deliveries" search={{ endpoint: id }} size="sm">
            Its deliveries
          </To>
        </Group>
        <EndpointHealth endpoint={endpoint} />
        <EndpointActions endpoint={endpoint} pending={endpoint.health.pending} />
      </Stack>
    </Paper>
  );
}
