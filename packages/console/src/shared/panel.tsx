import { Box, Group, Paper, Title } from '@mantine/core';

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
