import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { bookQuery, currencyOf, type Document } from './books';
import { Differences } from './Differences';
import { draftDifferences } from './draft';

/** What the draft charges otherwise than the book in force, as it is typed. */
export function DraftChanges({ book, current }: { book: Document; current: number }) {
  const { data: stored } = useQuery(bookQuery(current));
  if (stored === undefined) return null;
  const differences = draftDifferences(stored.book, book);
  const count = differences.length === 1 ? 'One rate differs' : `${differences.length === 0 ? 'No' : differences.length} rates differ`;
  return (
    <Stack gap="xs">
      <Title order={2} size="h3">
        What it changes
      </Title>
      <Text size="sm" role="status">
        {count} from book {current}, which is in force.
      </Text>
      <Differences differences={differences} currency={currencyOf(book)} />
    </Stack>
  );
}
