import { Group, Paper, Title } from '@mantine/core';
import { To } from '../../shared/to';

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

/** Facts with their names, one below the other. */
export function Named({ rows }: { rows: readonly (readonly [name: string, value: React.ReactNode])[] }) {
  return (
    <dl className="named">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Leads to another order. */
export function OrderLink({ order, children }: { order: string; children: React.ReactNode }) {
  return (
    <To underline="always" to="/orders/$order" params={{ order }}>
      {children}
    </To>
  );
}
