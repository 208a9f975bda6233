import { Stack, Title } from '@mantine/core';

interface SectionProps {
  title: string;
  size?: 'h3' | 'h4';
  children: React.ReactNode;
}

export function Section({ title, size = 'h3', children }: SectionProps) {
  return (
    <Stack component="section" gap={size === 'h3' ? 'sm' : 'xs'} align="stretch" aria-label={title}>
      <Title order={2} size={size}>
        {title}
      </Title>
      {children}
    </Stack>
  );
}
