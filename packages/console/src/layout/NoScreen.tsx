import { Anchor, Container, Stack, Title } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useTitle } from '../shared/title';
import { Refused } from '../shared/told';

export function NoScreen() {
  useTitle('No such screen');
  return (
    <Container component="main" py="xl">
      <Title order={1}>There is no such screen</Title>
      <p>
        <Anchor href="/" underline="always">
          Today
        </Anchor>{' '}
        and{' '}
        <Anchor href="/board" underline="always">
          the board
        </Anchor>{' '}
        lead to everything there is.
      </p>
    </Container>
  );
}

export function Wrong({ error }: ErrorComponentProps) {
  useTitle('This could not be shown');
  return (
    <Container component="main" py="xl">
      <Stack>
        <Title order={1}>This could not be shown</Title>
        <Refused error={error} retry={() => location.reload()} />
        <p>
          It may be this address:{' '}
          <Anchor href={location.pathname} underline="always">
            the same screen without what stands behind the question mark
          </Anchor>
          , or{' '}
          <Anchor href="/" underline="always">
            Today
          </Anchor>
          .
        </p>
      </Stack>
    </Container>
  );
}
