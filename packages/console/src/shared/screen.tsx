import { Group, Stack, Title } from '@mantine/core';
import type { Role } from '../api/types';
import { useHasRole } from '../session/session';
import { OnlyFor } from './only-for';
import { useTitle } from './title';

interface ScreenProps {
  title: string;
  /** Title of the browser tab. */
  tab?: string;
  minRole?: Role;
  /** The content that others cannot see. */
  what?: string;
  /** Beside the heading. */
  actions?: React.ReactNode;
  children: React.ReactNode;
}

/** A screen with its heading. People without the role see only the heading. */
export function Screen({ title, tab = title, minRole = 'floor', what = '', actions, children }: ScreenProps) {
  const isVisible = useHasRole(minRole);
  useTitle(isVisible ? tab : title);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{title}</Title>
        {isVisible && actions}
      </Group>
      <OnlyFor minRole={minRole} what={what}>
        {children}
      </OnlyFor>
    </Stack>
  );
}
