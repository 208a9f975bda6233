import { QueryCache, QueryClient } from '@tanstack/react-query';
import { Refusal } from './refusal';

const TRIES = 3;

/** Nothing is asked again that would be refused again; whoever is no longer signed in is told so by the session. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof Refusal && error.status === 401) void queries.invalidateQueries({ queryKey: ['session'] });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < TRIES && (!(error instanceof Refusal) || error.status === 0 || error.status >= 500),
    },
  },
});
