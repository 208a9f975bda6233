import { Box, Group, Paper, Stack, Title } from '@mantine/core';
import type { Role } from '../api/studio';
import { useHasRole } from '../session/session';
import { useTitle } from './title';
import { EmptyState } from './feedback';

interface PanelProps {
  title: string;
  level?: 2 | 3;
  beside?: React.ReactNode;
  children: React.ReactNode;
}

export function Panel({ title, level = 2, beside, children }: PanelProps) {
  return (
    <Paper component="section" withBorder p="md" aria-label={title}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={level} size={level === 2 ? 'h4' : 'h5'}>
          {title}
        </Title>
        {beside !== undefined && <Group gap="sm">{beside}</Group>}
      </Group>
      {children}
    </Paper>
  );
}

/** Values by their names. A fact that is `false` is left out. */
export type Facts = Readonly<Record<string, React.ReactNode>>;

export function FactList({ facts }: { facts: Facts }) {
  return (
    <Box component="dl" my={4} fz="sm">
      {Object.entries(facts)
        .filter(([, value]) => value !== false)
        .map(([name, value]) => (
          <Group key={name} gap="0 0.75rem" align="flex-start" py={2}>
            <Box component="dt" w="9rem" opacity={0.8}>
              {name}
            </Box>
            <Box component="dd" flex="1 1 10rem" m={0} className="anywhere">
              {value}
            </Box>
          </Group>
        ))}
    </Box>
  );
}

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

/** A screen with its heading. People without the role see the heading and who can see the screen. */
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

interface OnlyForProps {
  minRole: Role;
  what: string;
  /** The heading for people without the role, if the children contain the usual one. */
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
