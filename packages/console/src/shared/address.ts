import { useNavigate, useSearch } from '@tanstack/react-router';

/** The query of a screen's URL. Each screen reads the parameters it knows. */
export type Search = Readonly<Record<string, string | undefined>>;

/** With `goes`, the browser's Back comes back to what was shown before; without, it leads to where one came from. */
type Change = (changes: Search, goes?: 'goes') => void;

export function useAddress(): [Search, Change] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const change: Change = (changes, goes) => {
    void navigate({ to: '.', search: (before) => ({ ...before, ...changes }), replace: goes === undefined });
  };
  return [search, change];
}
