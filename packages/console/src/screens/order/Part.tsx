import { Group, Paper, Title } from '@mantine/core';
import { To } from '../../shared/to';

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

export function OrderLink({ order, children }: { order: string; children: React.ReactNode }) {
  return (
    <To underline="always" to="/orders/$order" params={{ order }}>
      {children}
    </To>
  );
}
