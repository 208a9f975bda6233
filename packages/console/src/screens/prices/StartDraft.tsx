import { Button, FileButton, Group, NativeSelect, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Refused } from '../../shared/told';
import { bookQuery, inForce, standingOf, type Summary } from './books';
import { isTooLong, TOO_LONG } from './draft';

/** Where a draft begins. */
export function StartDraft({ books, take }: { books: readonly Summary[]; take: (text: string, from: string) => void }) {
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
