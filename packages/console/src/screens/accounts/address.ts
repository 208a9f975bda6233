import { useNavigate, useSearch } from '@tanstack/react-router';

type Values = Readonly<Record<string, string | undefined>>;

/** What the address carries, and how to change some of it: filters and tabs live there, so that what one sees can be sent as a link. */
export function useAddress(): [Values, (change: Values) => void] {
  const values: Values = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (some: Values): void => void navigate({ to: '.', search: (before: Values) => ({ ...before, ...some }), replace: true });
  return [values, change];
}
