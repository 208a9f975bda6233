import { useQuery } from '@tanstack/react-query';
import { page, studio } from '../../api/studio';
import { useEnvironment } from '../../session/environment';

const OF_THE_STUDIO = 'AUD';

/** In what an account is billed: as its newest invoice has it; the studio's own where it has none. */
export function useCurrency(accountId: string): string {
  const [environment] = useEnvironment();
  const newest = useQuery({
    queryKey: ['invoices', 'newest', accountId, environment],
    queryFn: () => page(studio.GET('/invoices', { params: { query: { accountId, environment, limit: 1 } } })),
  });
  return newest.data?.rows[0]?.currency ?? OF_THE_STUDIO;
}
