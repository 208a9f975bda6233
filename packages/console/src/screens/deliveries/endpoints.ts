import { useQuery } from '@tanstack/react-query';
import { page, studio, type Page } from '../../api/studio';
import type { Environment } from '../../api/types';
import type { FaringEndpoint } from '../../endpoints/judgement';
import { useEnvironment } from '../../session/environment';

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

/** With trouble up to 500, and of all the newest 500. */
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
    const query = { environment, limit: 100, ...(failing && { failing }), ...(cursor && { cursor }) };
    const next: Page<FaringEndpoint[]> = await page(studio.GET('/webhook-endpoints', { params: { query } }));
    endpoints.push(...next.rows);
    if (next.nextCursor === null) return { endpoints, isAll: true };
    cursor = next.nextCursor;
  }
  return { endpoints, isAll: false };
}
