import { SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ask, page, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import { useSession } from '../../session/session';
import { Action } from '../../shared/action';
import { When } from '../../shared/when';
import { instantOf } from '../../shared/zoned';
import type { Document, Summary } from './books';

interface PublishProps {
  read: { book: Document; effectiveAt: string | null };
  books: readonly Summary[];
  published: () => void;
}

export function Publish({ read, books, published }: PublishProps) {
  const { timeZone } = useSession();
  const navigate = useNavigate();
  const [begins, choose] = useState<'now' | 'later' | 'file'>('now');
  const [local, setLocal] = useState('');
  const newest = useRef(0);
  const later = begins === 'file' ? read.effectiveAt : instantOf(local, timeZone);
  const effectiveAt = begins === 'now' ? null : later;
  const choices = [
    { value: 'now', label: 'Now' },
    { value: 'later', label: 'From a time on' },
    ...(read.effectiveAt === null ? [] : [{ value: 'file', label: 'As the file says' }]),
  ];
  const run = async (): Promise<Of<'PriceBook'>> => {
    const { book } = read;
    const stored =
      (await publishedAlready(book, newest.current)) ?? (await ask(studio.POST('/price-books', { body: { book, effectiveAt } })));
    published();
    void navigate({ to: '/prices', search: { view: 'books', book: String(stored.version) } });
    return stored;
  };
  return (
    <Stack gap="xs" align="start">
      <Title order={2} size="h3">
        Publish it
      </Title>
      <Text size="sm">It is judged as a whole first. Whatever is wrong with it is named, and the draft stays as it is.</Text>
      <Action
        label="Publish this draft"
        button={{ variant: 'filled', size: 'sm' }}
        says={[
          begins === 'now' ? (
            'Every quote from now on is priced by it.'
          ) : (
            <>
              Every quote from <When at={effectiveAt} /> on is priced by it; until then the present book prices.
            </>
          ),
          'Quotes that were given keep their price until they expire, and orders keep theirs. No client is told.',
          'A book is never changed or taken back: what is wrong with it is put right by publishing another.',
        ]}
        run={run}
        done={({ version }) => `Book ${version} is published`}
        ready={begins === 'now' || effectiveAt !== null}
        onOpen={() => {
          newest.current = Math.max(0, ...books.map(({ version }) => version));
        }}
      >
        <SegmentedControl
          aria-label="From when it prices"
          data={choices}
          value={begins}
          onChange={(value) => choose(value as 'now' | 'later' | 'file')}
        />
        {begins === 'later' && (
          <TextInput
            type="datetime-local"
            label="From"
            description={`On the studio's clock, ${timeZone}.`}
            value={local}
            onChange={(event) => setLocal(event.currentTarget.value)}
            required
          />
        )}
      </Action>
    </Stack>
  );
}

/** A book has no id of the sender's: where an answer was lost, the newest book tells whether this draft is it already. */
async function publishedAlready(book: Document, known: number): Promise<Of<'PriceBook'> | null> {
  const [newest] = (await page(studio.GET('/price-books', { params: { query: { limit: 1 } } }))).rows;
  if (newest === undefined || newest.version <= known) return null;
  const stored = await ask(studio.GET('/price-books/{version}', { params: { path: { version: newest.version } } }));
  return JSON.stringify(stored.book) === JSON.stringify(book) ? stored : null;
}
