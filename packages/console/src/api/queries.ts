import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { Refusal } from './refusal';

const TRIES = 3;

/** Whoever is no longer signed in, or no longer alone, is told so by the session. */
const askAgain = (error: unknown): void => {
  if (error instanceof Refusal && error.status === 401) void queries.invalidateQueries({ queryKey: ['session'] });
};

/** Nothing is asked again that would be refused again. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: askAgain }),
  mutationCache: new MutationCache({ onError: askAgain }),
  defaultOptions: {
    // A request that waited for the connection would be sent after its dialog was closed.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      retry: (failures, error) => failures < TRIES && (!(error instanceof Refusal) || error.status === 0 || error.status >= 500),
    },
  },
});
