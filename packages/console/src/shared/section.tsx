import { Stack, Title } from '@mantine/core';

interface SectionProps {
  title: string;
  order?: 2 | 3;
  size?: 'h3' | 'h4' | 'h5';
  children: React.ReactNode;
}

export function Section({ title, order = 2, size = 'h3', children }: SectionProps) {
  return (
    <Stack component="section" gap={size === 'h3' ? 'sm' : 'xs'} align="stretch" aria-label={title}>
      <Title order={order} size={size}>
        {title}
      </Title>
      {children}
    </Stack>
  );
}
