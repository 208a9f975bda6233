import { useQuery } from '@tanstack/react-query';
import { ask, studio } from '../../api/studio';

/** The account that is chosen, whose name the address does not have. For the office. */
export function useAccount(id: string | undefined) {
  return useQuery({
    queryKey: ['account', id],
    queryFn: () => ask(studio.GET('/accounts/{id}', { params: { path: { id: id ?? '' } } })),
    enabled: id !== undefined,
  });
}
