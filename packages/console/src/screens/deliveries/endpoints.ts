import { useQuery } from '@tanstack/react-query';
import { page, studio, type Page } from '../../api/studio';
import type { Environment } from '../../api/types';
import type { FaringEndpoint } from '../../endpoints/judgement';
import { useEnvironment } from '../../session/environment';

const PAGES = 5;

/** Endpoints of the orders that are looked at, live or test, with how it fares: the newest 500; `isAll` where there are no more. */
export function useEndpoints() {
  const [environment] = useEnvironment();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['endpoints', 'all', environment],
    queryFn: () => readAll(environment),
  });
  return { endpoints: data?.endpoints ?? [], isAll: data?.isAll ?? true, error, isPending, refetch };
}

async function readAll(environment: Environment): Promise<{ endpoints: FaringEndpoint[]; isAll: boolean }> {
  const endpoints: FaringEndpoint[] = [];
  let cursor: string | undefined;
  for (let read = 0; read < PAGES; read++) {
    const next: Page<FaringEndpoint[]> = await page(
      studio.GET('/webhook-endpoints', { params: { query: { environment, limit: 100, ...(cursor && { cursor }) } } }),
    );
    endpoints.push(...next.rows);
    if (next.nextCursor === null) return { endpoints, isAll: true };
    cursor = next.nextCursor;
  }
  return { endpoints, isAll: false };
}
