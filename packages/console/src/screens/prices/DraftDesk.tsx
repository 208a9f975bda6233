import { Alert, Button, FileButton, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Refused } from '../../shared/told';
import { useTitle } from '../../shared/title';
import { bookQuery, inForce, standingOf, type Summary } from './books';
import { readDraft, useDraft } from './draft';
import { DraftChanges } from './DraftChanges';
import { Publish } from './Publish';
import { Trial } from './Trial';

/** A draft: taken from a book or a file, changed as text, tried on recent quotes, published. Nothing that was typed is lost. */
export function DraftDesk({ books }: { books: readonly Summary[] }) {
  useTitle('Draft of a price book');
  const [draft, setDraft] = useDraft();
  const current = inForce(books)?.version;
  const read = readDraft(draft.text);
  const take = (text: string, from: string): void => {
    const before = draft.text.trim() === '' || draft.text === text ? draft.before : { text: draft.text, from: draft.from };
    setDraft({ text, from, before });
  };
  return (
    <Stack>
      <Start books={books} take={take} />
      {draft.before !== null && (
        <Alert title="Another draft stood here" role="status">
          <Group gap="xs">
            <Text size="sm">It came from {draft.before.from || 'what was typed'} and is kept.</Text>
            <Button size="xs" variant="default" onClick={() => draft.before !== null && take(draft.before.text, draft.before.from)}>
              Bring it back
            </Button>
            <Button size="xs" variant="default" onClick={() => setDraft({ ...draft, before: null })}>
              Forget it
            </Button>
          </Group>
        </Alert>
      )}
      <Textarea
        label={draft.from === '' ? 'The draft' : `The draft, from ${draft.from}`}
        description="Kept in this tab until it is published: leaving this screen, a refusal or signing in again loses nothing. Rates are whole cents, shares hundredths of a per cent."
        value={draft.text}
        onChange={(event) => setDraft({ ...draft, text: event.currentTarget.value })}
        rows={16}
        spellCheck={false}
        error={draft.text.trim() !== '' && 'problem' in read ? read.problem : undefined}
        classNames={{ input: 'mono' }}
      />
      {'problem' in read ? (
        draft.text.trim() === '' && <Text size="sm">{read.problem}</Text>
      ) : (
        <>
          {current !== undefined && <DraftChanges book={read.book} current={current} />}
          <Trial book={read.book} />
          <Publish read={read} books={books} published={() => setDraft({ text: '', from: '', before: draft.before })} />
        </>
      )}
    </Stack>
  );
}

/** Where a draft begins. */
function Start({ books, take }: { books: readonly Summary[]; take: (text: string, from: string) => void }) {
  const { from } = useSearch({ strict: false });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [chosen, choose] = useState(String(inForce(books)?.version ?? books[0]?.version ?? ''));
  const [error, setError] = useState<unknown>(null);
  const asked = useQuery({ ...bookQuery(Number(from ?? 0)), enabled: from !== undefined && /^[1-9]\d{0,8}$/.test(from) });
  const taken = useRef('');
  useEffect(() => {
    if (asked.data === undefined || from === undefined || taken.current === from) return;
    taken.current = from;
    take(textOf(asked.data.book), `book ${from}`);
    // Another look at this address must not take the book again.
    void navigate({ to: '/prices', search: { view: 'draft' }, replace: true });
  });
  const start = async (): Promise<void> => {
    setError(null);
    await queries.ensureQueryData(bookQuery(Number(chosen))).then(({ book }) => take(textOf(book), `book ${chosen}`), setError);
  };
  const open = async (file: File | null): Promise<void> => {
    if (file !== null) take(await file.text(), file.name);
  };
  return (
    <Stack gap="xs">
      <Group align="end" gap="xs">
        <NativeSelect
          label="Start from"
          value={chosen}
          onChange={(event) => choose(event.currentTarget.value)}
          data={books.map((book) => ({
            value: String(book.version),
            label: `Book ${book.version}, ${standingOf(book, books).toLowerCase()}`,
          }))}
        />
        <Button variant="default" onClick={() => void start()} disabled={chosen === ''}>
          Take this book
        </Button>
        <FileButton accept="application/json,.json" onChange={(file) => void open(file)}>
          {(props) => (
            <Button variant="default" {...props}>
              Choose a file
            </Button>
          )}
        </FileButton>
      </Group>
      <Refused error={error ?? asked.error} />
    </Stack>
  );
}

const textOf = (book: unknown): string => `${JSON.stringify(book, null, 2)}\n`;
