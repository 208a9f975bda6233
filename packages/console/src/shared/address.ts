import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Search } from '../router';

/** What the address of a screen says, such as its filters, and how to change some of it. The way back leads to where one came from. */
export function useAddress(): [Search, (changes: Search) => void] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const change = (changes: Search): void => {
    void navigate({ to: '.', search: (before) => ({ ...before, ...changes }), replace: true });
  };
  return [search, change];
}
