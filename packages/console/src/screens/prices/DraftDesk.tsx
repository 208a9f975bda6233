import { Alert, Button, FileButton, Group, NativeSelect, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ErrorComponentProps, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '../../session/session';
import { Refused } from '../../shared/told';
import { bookOptions, bookQuery, currencyOf, type Document, inForce, type Summary } from './books';
import { Differences } from './Compare';
import { type Draft, draftDifferences, forgetDraft, isTooLong, readDraft, taking, TOO_LONG, useDraft } from './draft';
import { Publish } from './Publish';
import { Trial } from './Trial';

/** A draft: taken from a book or a file, changed as text, tried on recent quotes, published. Nothing that was typed is lost. */
export function DraftDesk({ books }: { books: readonly Summary[] }) {
  const [draft, setDraft] = useDraft();
  const current = inForce(books)?.version;
  const read = readDraft(draft.text);
  const take = (text: string, from: string): void => setDraft(taking(draft, { text, from }));
  return (
    <Stack>
      <StartDraft books={books} take={take} />
      <Before draft={draft} setDraft={setDraft} />
      <Textarea
        label={draft.from === '' ? 'The draft' : `The draft, from ${draft.from}`}
        description="Kept in this tab, for you alone, until it is published: leaving this screen, a refusal or a sign-in that runs out loses nothing. Signing out deletes it. Rates are whole cents, shares hundredths of a per cent."
        value={draft.text}
        onChange={(event) => setDraft({ ...draft, text: event.currentTarget.value, isTyped: true })}
        autosize={false}
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
          <Publish read={read} books={books} published={() => setDraft({ ...draft, text: '', from: '', isTyped: false })} />
        </>
      )}
    </Stack>
  );
}

function Before({ draft, setDraft }: { draft: Draft; setDraft: (draft: Draft) => void }) {
  const { before } = draft;
  if (before.length === 0) return null;
  const without = (at: number): Draft => ({ ...draft, before: before.filter((_, other) => other !== at) });
  return (
    <Alert title="What stood here before is kept" role="status">
      {before.map((written, at) => (
        // Two of them can be the same text.
        // oxlint-disable-next-line react/no-array-index-key
        <Group key={at} gap="xs">
          <Text size="sm">A draft from {written.from || 'what was typed'}</Text>
          <Button size="xs" variant="default" onClick={() => setDraft({ ...taking(without(at), written), isTyped: true })}>
            Bring it back
          </Button>
          <Button size="xs" variant="default" onClick={() => setDraft(without(at))}>
            Forget it
          </Button>
        </Group>
      ))}
    </Alert>
  );
}

function StartDraft({ books, take }: { books: readonly Summary[]; take: (text: string, from: string) => void }) {
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
    setError(null);
    if (file === null) return;
    if (isTooLong(file.size)) setError(new Error(TOO_LONG));
    else take(await file.text(), file.name);
  };
  return (
    <Stack gap="xs">
      <Group align="end" gap="xs">
        <NativeSelect label="Start from" value={chosen} onChange={(event) => choose(event.currentTarget.value)} data={bookOptions(books)} />
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

function DraftChanges({ book, current }: { book: Document; current: number }) {
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

/** Where a draft that was kept cannot be shown: the screen is not lost with it. */
export function DraftFault({ error, reset }: ErrorComponentProps) {
  const { tokenId } = useSession();
  const forget = (): void => {
    forgetDraft(tokenId);
    reset();
  };
  return (
    <Stack align="start">
      <Refused error={error} />
      <Text size="sm">The draft that this tab has kept cannot be shown. Without it, you can start from a book again.</Text>
      <Button color="red" variant="outline" onClick={forget}>
        Forget this draft
      </Button>
    </Stack>
  );
}
