import { Group, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { To } from '../../shared/to';

interface PartProps {
  title: string;
  about?: React.ReactNode;
  beside?: React.ReactNode;
  children: React.ReactNode;
}

export function Part({ title, about, beside, children }: PartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" align="flex-end" gap="sm" mb="xs">
        <div>
          <Title order={2} size="h3" id={id}>
            {title}
          </Title>
          {about !== undefined && (
            <Text size="sm" className="quiet">
              {about}
            </Text>
          )}
        </div>
        {beside}
      </Group>
      {children}
    </section>
  );
}

export function BoardLink({ search, children }: { search: Readonly<Record<string, string>>; children: React.ReactNode }) {
  return (
    <To to="/board" search={search} size="md">
      {children}
    </To>
  );
}
