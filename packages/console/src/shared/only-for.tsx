import { Title } from '@mantine/core';
import type { Role } from '../api/types';
import { useHasRole } from '../session/session';
import { EmptyState } from './feedback';

interface OnlyForProps {
  minRole: Role;
  what: string;
  /** The heading of the screen, if the children contain it. */
  title?: string;
  children: React.ReactNode;
}

export function OnlyFor({ minRole, what, title, children }: OnlyForProps) {
  if (useHasRole(minRole)) return children;
  return (
    <>
      {title !== undefined && <Title order={1}>{title}</Title>}
      <EmptyState>{`Only ${minRole === 'admin' ? 'admins' : 'the office'} can see ${what}.`}</EmptyState>
    </>
  );
}
