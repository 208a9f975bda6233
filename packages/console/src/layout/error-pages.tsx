import { Anchor, Container, Stack, Title } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useTitle } from '../shared/title';
import { ErrorAlert } from '../shared/feedback';

export function PageNotFound() {
  useTitle('Page not found');
  return (
    <Container component="main" py="xl">
      <Title order={1}>Page not found</Title>
      <Anchor href="/" underline="always">
        Go to Today
      </Anchor>
    </Container>
  );
}

export function ScreenError({ error }: ErrorComponentProps) {
  useTitle('Error');
  return (
    <Container component="main" py="xl">
      <Stack>
        <Title order={1}>This page could not be shown</Title>
        <ErrorAlert error={error} retry={() => location.reload()} />
        <Anchor href={location.pathname} underline="always">
          Open the page without its filters
        </Anchor>
        <Anchor href="/" underline="always">
          Go to Today
        </Anchor>
      </Stack>
    </Container>
  );
}
