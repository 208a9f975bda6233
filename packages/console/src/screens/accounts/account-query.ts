import { queryOptions } from '@tanstack/react-query';
import { ask, studio } from '../../api/studio';

/** One account with what it owes and may still order. */
export const accountQuery = (id: string) =>
  queryOptions({ queryKey: ['account', id], queryFn: () => ask(studio.GET('/accounts/{id}', { params: { path: { id } } })) });
