import { Anchor, Container, Stack, Title } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Refused } from '../shared/told';

/** Where an address leads nowhere. */
export function NoScreen() {
  return (
    <Container component="main" py="xl">
      <Title order={1}>There is no such screen</Title>
      <p>
        <Anchor href="/">Today</Anchor> and <Anchor href="/board">the board</Anchor> lead to everything there is.
      </p>
    </Container>
  );
}

/** Where a screen could not be shown: what was said, and how to go on. */
export function Wrong({ error }: ErrorComponentProps) {
  return (
    <Container component="main" py="xl">
      <Stack>
        <Title order={1}>This could not be shown</Title>
        <Refused error={error} retry={() => location.reload()} />
      </Stack>
    </Container>
  );
}
