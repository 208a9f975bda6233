import { Button, Group, NumberInput, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, studio } from '../../api/studio';
import { useEnvironment } from '../../session/environment';
import { Refused } from '../../shared/told';
import type { Document } from './books';
import { TrialResult } from './TrialResult';

const MOST_QUOTES = 200;
const USUAL_QUOTES = 50;

/** The draft on the newest quotes: what each line of them would cost. Nothing is stored, and nobody is told. */
export function Trial({ book }: { book: Document }) {
  const [environment] = useEnvironment();
  const [quotes, setQuotes] = useState<number>(USUAL_QUOTES);
  const trying = useMutation({
    mutationFn: async (tried: string) => {
      const body = { book: JSON.parse(tried) as unknown, quotes, environment };
      return { ...(await ask(studio.POST('/price-books/try', { body }))), environment };
    },
  });
  const text = JSON.stringify(book);
  const isOld = trying.variables !== undefined && trying.variables !== text;
  return (
    <Stack gap="xs">
      <Title order={2} size="h3">
        Try it
      </Title>
      <Group align="end" gap="xs">
        <NumberInput
          label={`Newest ${environment} quotes`}
          description={`At most ${MOST_QUOTES}`}
          min={1}
          max={MOST_QUOTES}
          clampBehavior="strict"
          allowDecimal={false}
          value={quotes}
          onChange={(value) => typeof value === 'number' && setQuotes(value)}
          w={180}
        />
        <Button onClick={() => trying.mutate(text)} loading={trying.isPending}>
          Try it
        </Button>
        <Text size="sm">Nothing is stored, and no client is told.</Text>
      </Group>
      {isOld && !trying.isPending && (
        <Text size="sm" role="status">
          The draft was changed since: what follows is of the one before.
        </Text>
      )}
      <Refused error={trying.error} />
      {trying.data !== undefined && trying.error === null && <TrialResult trial={trying.data} />}
    </Stack>
  );
}
