import { Button, Code, Group, ScrollArea, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Refused, Waiting } from '../../shared/told';
import { When } from '../../shared/when';
import { StandingBadge } from './BookList';
import { BookLink } from './BookLink';
import { BookParts } from './BookParts';
import { bookQuery, standingOf, type Document, type Summary } from './books';
import { download } from './download';
import { useNames } from './names';

/** One book to read, as JSON too, and to take away as the command line takes it. */
export function BookView({ version, books }: { version: number; books: readonly Summary[] }) {
  const [isRaw, showRaw] = useState(false);
  const names = useNames();
  const { data: stored, error, refetch } = useQuery(bookQuery(version));
  if (error !== null) return <Refused error={error} retry={() => void refetch()} />;
  if (stored === undefined) return <Waiting what="Reading the book" />;
  const document = stored.book as Document;
  const json = JSON.stringify(document, null, 2);
  return (
    <Stack>
      <div>
        <BookLink search={{}}>All books</BookLink>
      </div>
      <Group>
        <Title order={2}>Book {version}</Title>
        <StandingBadge standing={standingOf(stored, books)} />
      </Group>
      <Text size="sm">
        In force from <When at={stored.effectiveAt} />, published by {stored.publishedBy} on <When at={stored.createdAt} />.
      </Text>
      <Group gap="xs">
        <BookLink search={{ view: 'draft', from: String(version) }} variant="filled">
          Draft from it
        </BookLink>
        <BookLink search={{ view: 'compare', book: String(version) }} variant="default">
          Compare
        </BookLink>
        <Button size="xs" variant="default" onClick={() => download(`price-book-${version}.json`, `${json}\n`)}>
          Download as JSON
        </Button>
        <Button size="xs" variant="default" aria-pressed={isRaw} onClick={() => showRaw(!isRaw)}>
          {isRaw ? 'Show it in words' : 'Show it as JSON'}
        </Button>
      </Group>
      {isRaw ? (
        <ScrollArea.Autosize mah={640} viewportProps={{ tabIndex: 0, 'aria-label': 'The book as JSON', role: 'region' }}>
          <Code block>{json}</Code>
        </ScrollArea.Autosize>
      ) : (
        <BookParts document={document} names={names} />
      )}
    </Stack>
  );
}
