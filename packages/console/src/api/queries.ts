import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { Refusal } from './refusal';

const TRIES = 3;

const SESSION = ['session'];
const is401 = (error: unknown): boolean => error instanceof Refusal && error.status === 401;

/** A 401 may mean that the session has ended or belongs to another person. The session query finds out, once for all requests. */
const checkSession = (error: unknown): void => {
  if (!is401(error) || is401(queries.getQueryState(SESSION)?.error)) return;
  void queries.invalidateQueries({ queryKey: SESSION }, { cancelRefetch: false });
};

/** Refused requests are not repeated. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: checkSession }),
  mutationCache: new MutationCache({ onError: checkSession }),
  defaultOptions: {
    // Otherwise a request that waits for the network could be sent after its dialog was closed.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      retry: (failures, error) => failures < TRIES && (!(error instanceof Refusal) || error.status === 0 || error.status >= 500),
    },
  },
});
