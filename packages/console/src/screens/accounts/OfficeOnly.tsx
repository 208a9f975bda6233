import { Title } from '@mantine/core';
import { useMay } from '../../session/session';
import { Nothing } from '../../shared/told';

/** Accounts and their money are the office's: to others nothing of it is asked for. */
export function OfficeOnly({ title, children }: { title: string; children: React.ReactNode }) {
  if (useMay('office')) return children;
  return (
    <>
      <Title order={1}>{title}</Title>
      <Nothing>Accounts and money are for the office. What you can work on is on the board.</Nothing>
    </>
  );
}
