import { Anchor, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';

interface BookLinkProps {
  search: Readonly<Record<string, string>>;
  children: React.ReactNode;
  /** As a button: `filled` for what one mostly wants. */
  variant?: 'filled' | 'default';
}

/** A link within Prices. */
export function BookLink({ search, children, variant }: BookLinkProps) {
  if (variant === undefined)
    return <Anchor renderRoot={(props: object) => <Link to="/prices" search={search} {...props} />}>{children}</Anchor>;
  return (
    <Button size="xs" variant={variant} renderRoot={(props: object) => <Link to="/prices" search={search} {...props} />}>
      {children}
    </Button>
  );
}
