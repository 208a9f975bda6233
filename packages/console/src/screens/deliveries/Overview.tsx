import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { callApiPage, type Environment, type Page, studio } from '../../api/studio';
import { ENDPOINT_COLUMNS } from '../../endpoints/columns';
import { type EndpointWithHealth, HEALTH_STATES, healthOf, isHealthy } from '../../endpoints/health';
import { useEnvironment } from '../../session/environment';
import { EmptyState, ErrorAlert, Loading } from '../../shared/feedback';
import { StaticTable } from '../../shared/list';
import { Panel } from '../../shared/layout';
import { plural } from '../../shared/words';

const MAX_PAGES = 5;

interface EndpointPage {
  endpoints: EndpointWithHealth[];
  isComplete: boolean;
}

/** All failing endpoints of the environment, then the newest others. */
export function useEndpoints() {
  const [environment] = useEnvironment();
  const { data, ...query } = useQuery({
    queryKey: ['endpoints', 'all', environment],
    queryFn: async (): Promise<EndpointPage> => {
      const [failing, all] = await Promise.all([read(environment, 'true'), read(environment)]);
      const byId = new Map([...failing.endpoints, ...all.endpoints].map((endpoint) => [endpoint.id, endpoint]));
      return { endpoints: [...byId.values()], isComplete: failing.isComplete && all.isComplete };
    },
  });
  return { endpoints: data?.endpoints ?? [], isComplete: data?.isComplete ?? true, ...query };
}

async function read(environment: Environment, failing?: 'true'): Promise<EndpointPage> {
  const endpoints: EndpointWithHealth[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const query = { environment, limit: 100, ...(failing && { failing }), cursor };
    const next: Page<EndpointWithHealth[]> = await callApiPage(studio.GET('/webhook-endpoints', { params: { query } }));
    endpoints.push(...next.rows);
    if (next.nextCursor === null) return { endpoints, isComplete: true };
    cursor = next.nextCursor;
  }
  return { endpoints, isComplete: false };
}

const SHOWN = 5;

/** The endpoints, worst first; initially those with problems only. */
export function Overview() {
  const { endpoints, isComplete, error, isPending, refetch } = useEndpoints();
  const [isOpen, { toggle }] = useDisclosure(false);
  if (isPending) return <Loading what="Loading endpoints" />;
  if (error !== null && endpoints.length === 0) return <ErrorAlert error={error} retry={() => void refetch()} />;
  if (endpoints.length === 0) return <EmptyState>No endpoints yet. Add one on the page of an account.</EmptyState>;
  const sorted = endpoints.toSorted((one, other) => rankOf(one) - rankOf(other));
  const unhealthy = sorted.filter((endpoint) => !isHealthy(healthOf(endpoint)));
  const shown = isOpen ? sorted : unhealthy.slice(0, SHOWN);
  return (
    <Panel
      title={unhealthy.length === 0 ? 'All endpoints are working' : `${plural(unhealthy.length, 'endpoint')} with problems`}
      beside={
        <Button size="compact-sm" variant="subtle" onClick={toggle} aria-expanded={isOpen}>
          {isOpen ? 'Show fewer' : `Show all ${endpoints.length}`}
        </Button>
      }
    >
      {shown.length > 0 && <StaticTable label="Endpoints" rows={shown} columns={ENDPOINT_COLUMNS} keyOf={({ id }) => id} empty="" />}
      {isOpen && !isComplete && <Text size="sm">Only endpoints with problems and the newest 500 are shown.</Text>}
    </Panel>
  );
}

const rankOf = (endpoint: EndpointWithHealth): number => HEALTH_STATES.indexOf(healthOf(endpoint));
