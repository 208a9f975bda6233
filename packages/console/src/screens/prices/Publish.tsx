import { SegmentedControl } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { callApi, callApiPage, type Schema, studio } from '../../api/studio';
import { useSession } from '../../session/session';
import { Action, useActionForm } from '../../shared/action';
import { DateTimeInput } from '../../shared/inputs';
import { parseLocalTime } from '../../shared/local-time';
import { CLIENT_NOT_NOTIFIED } from '../../shared/words';
import { Time } from '../../shared/time';
import type { Document, BookSummary } from './books';

interface PublishProps {
  draft: { book: Document; effectiveAt: string | null };
  books: readonly BookSummary[];
  onPublish: () => void;
}

export function Publish({ draft: { book, effectiveAt: fromFile }, books, onPublish }: PublishProps) {
  const { timeZone } = useSession();
  const navigate = useNavigate();
  const form = useActionForm(
    () => ({ start: 'now' as 'now' | 'later' | 'file', time: '' }),
    (values) => ({ time: values.start === 'later' && parseLocalTime(values.time, timeZone) === null && 'Enter the time' }),
  );
  const { start, time } = form.values;
  const newest = useRef(0);
  const effectiveAt = { now: null, later: parseLocalTime(time, timeZone), file: fromFile }[start];
  const run = async (): Promise<Schema<'PriceBook'>> => {
    const stored =
      (await findPublished(book, newest.current)) ?? (await callApi(studio.POST('/price-books', { body: { book, effectiveAt } })));
    onPublish();
    void navigate({ to: '/prices', search: { view: 'books', book: String(stored.version) } });
    return stored;
  };
  return (
    <Action
      label="Publish draft"
      button={{ variant: 'filled', size: 'sm' }}
      consequences={[
        effectiveAt === null ? (
          'The draft prices all new quotes from now on.'
        ) : (
          <>
            The draft prices all new quotes from <Time at={effectiveAt} />.
          </>
        ),
        'Existing quotes and orders keep their prices. You cannot change or delete a published book.',
        CLIENT_NOT_NOTIFIED,
      ]}
      run={run}
      toast={({ version }) => `Book ${version} published`}
      {...form.action}
      onOpen={() => {
        newest.current = Math.max(0, ...books.map(({ version }) => version));
      }}
    >
      <SegmentedControl
        aria-label="Effective"
        data={[
          { value: 'now', label: 'Now' },
          { value: 'later', label: 'Later' },
          ...(fromFile === null ? [] : [{ value: 'file', label: 'As in the file' }]),
        ]}
        {...form.field('start')}
      />
      {start === 'later' && <DateTimeInput label="Effective from" description="Studio time" required {...form.field('time')} />}
    </Action>
  );
}

/** The API takes no sender's id for a book. After a lost response, the newest book shows whether this draft was published. */
async function findPublished(book: Document, newestKnown: number): Promise<Schema<'PriceBook'> | null> {
  const [newest] = (await callApiPage(studio.GET('/price-books', { params: { query: { limit: 1 } } }))).rows;
  if (newest === undefined || newest.version <= newestKnown) return null;
  const stored = await callApi(studio.GET('/price-books/{version}', { params: { path: { version: newest.version } } }));
  return JSON.stringify(stored.book) === JSON.stringify(book) ? stored : null;
}
