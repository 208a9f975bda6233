import { Stack, Title } from '@mantine/core';

export function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Stack component="section" gap="sm" align="stretch" aria-label={title}>
      <Title order={2} size="h3">
        {title}
      </Title>
      {children}
    </Stack>
  );
}
