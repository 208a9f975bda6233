import { Anchor, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';

interface PartProps {
  title: string;
  /** What it says of itself in a line. */
  about?: React.ReactNode;
  /** Beside the title: what narrows it, or leads to all of it. */
  beside?: React.ReactNode;
  children: React.ReactNode;
}

/** One part of the day. */
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

/** Leads to the board with these filters. */
export function BoardLink({ search, children }: { search: Readonly<Record<string, string>>; children: React.ReactNode }) {
  return <Anchor renderRoot={(props: object) => <Link {...props} to="/board" search={search} />}>{children}</Anchor>;
}
