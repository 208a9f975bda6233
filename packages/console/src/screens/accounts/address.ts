import { useNavigate, useSearch } from '@tanstack/react-router';

type Values = Readonly<Record<string, string | undefined>>;
/** With `goes`, the browser's Back comes back to what was before; without, it is the same place, looked at differently. */
type Change = (some: Values, goes?: 'goes') => void;

/** What the address carries, and how to change some of it: filters and tabs live there, so that what one sees can be sent as a link. */
export function useAddress(): [Values, Change] {
  const values: Values = useSearch({ strict: false });
  const navigate = useNavigate();
  const change: Change = (some, goes) =>
    void navigate({ to: '.', search: (before: Values) => ({ ...before, ...some }), replace: goes === undefined });
  return [values, change];
}
