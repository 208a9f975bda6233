import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** Leads to the board with these filters. */
export function BoardLink({ search, children }: { search: Readonly<Record<string, string>>; children: React.ReactNode }) {
  return <Anchor renderRoot={(props: object) => <Link {...props} to="/board" search={search} />}>{children}</Anchor>;
}
