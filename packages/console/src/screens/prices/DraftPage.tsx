import { Alert, Button, FileButton, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ErrorComponentProps, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '../../session/session';
import { ErrorAlert } from '../../shared/feedback';
import { Panel } from '../../shared/layout';
import { plural } from '../../shared/words';
import { bookOptions, bookQuery, currencyOf, currentBook, type Document, type Summary } from './books';
import { Differences } from './Compare';
import { deleteDraft, type Draft, draftDifferences, isTooLong, parseDraft, replaceDraft, TOO_LONG, useDraft } from './draft';
import { Publish } from './Publish';
import { Trial } from './Trial';

/** A draft from a book or a file, edited as text, tested on recent quotes, and published. */
export function DraftPage({ books }: { books: readonly Summary[] }) {
  const [draft, setDraft] = useDraft();
  const current = currentBook(books)?.version;
  const parsed = parseDraft(draft.text);
  const isEmpty = draft.text.trim() === '';
  return (
    <Stack>
      <Group justify="space-between" align="end">
        <StartDraft books={books} start={(text, from) => setDraft(replaceDraft(draft, { text, from }))} />
        {'book' in parsed && (
          <Publish draft={parsed} books={books} onPublish={() => setDraft({ ...draft, text: '', from: '', isEdited: false })} />
        )}
      </Group>
      <EarlierDrafts draft={draft} setDraft={setDraft} />
      <Textarea
        label={draft.from === '' ? 'Draft' : `Draft from ${draft.from}`}
        description="Kept in this tab until you publish it or sign out. Rates are in cents, shares in hundredths of a percent."
        value={draft.text}
        onChange={(event) => setDraft({ ...draft, text: event.currentTarget.value, isEdited: true })}
        autosize={false}
        rows={16}
        spellCheck={false}
        error={!isEmpty && 'problem' in parsed && parsed.problem}
        classNames={{ input: 'mono' }}
      />
      {'book' in parsed && (
        <>
          {current !== undefined && <DraftChanges book={parsed.book} current={current} />}
          <Trial book={parsed.book} />
        </>
      )}
    </Stack>
  );
}

function EarlierDrafts({ draft, setDraft }: { draft: Draft; setDraft: (draft: Draft) => void }) {
  const { earlier } = draft;
  if (earlier.length === 0) return null;
  const without = (index: number): Draft => ({ ...draft, earlier: earlier.filter((_, other) => other !== index) });
  return (
    <Alert title="Earlier drafts" role="status">
      {earlier.map((text, index) => (
        // Two drafts can have the same text.
        // oxlint-disable-next-line react/no-array-index-key
        <Group key={index} gap="xs">
          <Text size="sm">{text.from === '' ? 'Draft' : `Draft from ${text.from}`}</Text>
          <Button size="xs" variant="default" onClick={() => setDraft({ ...replaceDraft(without(index), text), isEdited: true })}>
            Restore
          </Button>
          <Button size="xs" variant="default" onClick={() => setDraft(without(index))}>
            Delete
          </Button>
        </Group>
      ))}
    </Alert>
  );
}

function StartDraft({ books, start }: { books: readonly Summary[]; start: (text: string, from: string) => void }) {
  const { from } = useSearch({ strict: false });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [selected, select] = useState(String(currentBook(books)?.version ?? books[0]?.version ?? ''));
  const [error, setError] = useState<unknown>(null);
  const linked = useQuery({ ...bookQuery(Number(from ?? 0)), enabled: from !== undefined && /^[1-9]\d{0,8}$/.test(from) });
  const started = useRef('');
  useEffect(() => {
    if (linked.data === undefined || from === undefined || started.current === from) return;
    started.current = from;
    start(formatBook(linked.data.book), `book ${from}`);
    // Without the parameter, a reload keeps the draft.
    void navigate({ to: '/prices', search: { view: 'draft' }, replace: true });
  });
  const startFromBook = async (): Promise<void> => {
    setError(null);
    await queries.ensureQueryData(bookQuery(Number(selected))).then(({ book }) => start(formatBook(book), `book ${selected}`), setError);
  };
  const upload = async (file: File | null): Promise<void> => {
    setError(null);
    if (file === null) return;
    if (isTooLong(file.size)) setError(new Error(TOO_LONG));
    else start(await file.text(), file.name);
  };
  return (
    <Stack gap="xs">
      <Group align="end" gap="xs">
        <NativeSelect
          label="Start from"
          value={selected}
          onChange={(event) => select(event.currentTarget.value)}
          data={bookOptions(books)}
        />
        <Button variant="default" onClick={() => void startFromBook()} disabled={selected === ''}>
          Use book
        </Button>
        <FileButton accept="application/json,.json" onChange={(file) => void upload(file)}>
          {(props) => (
            <Button variant="default" {...props}>
              Upload file
            </Button>
          )}
        </FileButton>
      </Group>
      <ErrorAlert error={error ?? linked.error} />
    </Stack>
  );
}

const formatBook = (book: unknown): string => `${JSON.stringify(book, null, 2)}\n`;

function DraftChanges({ book, current }: { book: Document; current: number }) {
  const { data: stored } = useQuery(bookQuery(current));
  if (stored === undefined) return null;
  const differences = draftDifferences(stored.book, book);
  return (
    <Panel title={`Changes from book ${current}`}>
      <Text size="sm" role="status">
        {differences.length === 0 ? 'No differences' : plural(differences.length, 'difference')}
      </Text>
      <Differences differences={differences} currency={currencyOf(book)} />
    </Panel>
  );
}

/** Replaces the page if the stored draft makes it fail. */
export function DraftError({ error, reset }: ErrorComponentProps) {
  const { tokenId } = useSession();
  const discard = (): void => {
    deleteDraft(tokenId);
    reset();
  };
  return (
    <Stack align="start">
      <ErrorAlert error={error} />
      <Text size="sm">The draft cannot be displayed.</Text>
      <Button color="red" variant="outline" onClick={discard}>
        Delete draft
      </Button>
    </Stack>
  );
}
