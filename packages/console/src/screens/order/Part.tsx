import { Group, Paper, Title } from '@mantine/core';

/** A part of the screen under its heading, with what can be done about it beside that. */
export function Part({ title, beside, children }: { title: string; beside?: React.ReactNode; children: React.ReactNode }) {
  return (
    <Paper component="section" withBorder p="md" aria-label={title}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        {beside !== undefined && <Group gap="sm">{beside}</Group>}
      </Group>
      {children}
    </Paper>
  );
}
