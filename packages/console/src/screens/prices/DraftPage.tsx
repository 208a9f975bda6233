import { Button, FileButton, Group, NativeSelect, Stack, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ErrorAlert } from '../../shared/feedback';
import { Panel } from '../../shared/layout';
import { useSearchParams } from '../../shared/search-params';
import { bookOptions, bookQuery, currencyOf, currentBook, type Document, type Book } from './books';
import { Differences } from './Compare';
import { draftDifferences, isTooLong, parseDraft, TOO_LONG, useDraft } from './draft';
import { Publish } from './Publish';
import { Trial } from './Trial';

/** A draft from a book or a file, edited as text, tested on recent quotes, and published. */
export function DraftPage({ books }: { books: readonly Book[] }) {
  const { text, hasPrevious, edit, replace, restore } = useDraft();
  const current = currentBook(books)?.version;
  const parsed = parseDraft(text);
  return (
    <Stack>
      <Group justify="space-between" align="end">
        <StartDraft books={books} start={replace} />
        {hasPrevious && (
          <Button variant="default" onClick={restore}>
            Restore previous draft
          </Button>
        )}
        {'book' in parsed && <Publish draft={parsed} books={books} onPublish={() => edit('')} />}
      </Group>
      <Textarea
        label="Draft"
        description="Kept in this tab until you publish it or sign out. Rates are in cents, shares in hundredths of a percent."
        value={text}
        onChange={(event) => edit(event.currentTarget.value)}
        autosize={false}
        rows={16}
        spellCheck={false}
        error={text.trim() !== '' && 'problem' in parsed && parsed.problem}
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

function StartDraft({ books, start }: { books: readonly Book[]; start: (text: string) => void }) {
  const [{ from }] = useSearchParams();
  const queries = useQueryClient();
  const options = bookOptions(books);
  const preselected = options.find(({ value }) => value === from)?.value ?? String(currentBook(books)?.version ?? options[0]?.value ?? '');
  const [selected, select] = useState(preselected);
  const forgetFile = useRef<() => void>(null);
  const loading = useMutation({ mutationFn: (load: () => Promise<string>) => load(), onSuccess: start });
  const loadBook = async (): Promise<string> => {
    const { book } = await queries.ensureQueryData(bookQuery(Number(selected)));
    return `${JSON.stringify(book, null, 2)}\n`;
  };
  const loadFile = async (file: File): Promise<string> => {
    if (isTooLong(file.size)) throw new Error(TOO_LONG);
    return file.text();
  };
  return (
    <Stack gap="xs">
      <Group align="end" gap="xs">
        <NativeSelect label="Start from" value={selected} onChange={(event) => select(event.currentTarget.value)} data={options} />
        <Button variant="default" onClick={() => loading.mutate(loadBook)} disabled={selected === ''}>
          Use book
        </Button>
        <FileButton
          resetRef={forgetFile}
          accept="application/json,.json"
          onChange={(file) => {
            if (file !== null) loading.mutate(() => loadFile(file));
            forgetFile.current?.(); // so the same file can be chosen again
          }}
        >
          {(props) => (
            <Button variant="default" {...props}>
              Upload file
            </Button>
          )}
        </FileButton>
      </Group>
      <ErrorAlert error={loading.error} />
    </Stack>
  );
}

function DraftChanges({ book, current }: { book: Document; current: number }) {
  const { data: stored } = useQuery(bookQuery(current));
  if (stored === undefined) return null;
  return (
    <Panel title={`Changes from book ${current}`}>
      <Differences differences={draftDifferences(stored.book, book)} currency={currencyOf(book)} />
    </Panel>
  );
}
