import { Group, Paper, Title } from '@mantine/core';

interface PartProps {
  title: string;
  level?: 2 | 3;
  beside?: React.ReactNode;
  children: React.ReactNode;
}

export function Part({ title, level = 2, beside, children }: PartProps) {
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
    <dl className="named">
      {Object.entries(facts)
        .filter(([, value]) => value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
