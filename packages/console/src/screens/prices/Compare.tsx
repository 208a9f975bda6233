import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Schema } from '../../api/studio';
import { StaticTable, type RowsColumn } from '../../shared/list';
import { EmptyState, ErrorAlert, Loading } from '../../shared/feedback';
import { bookOptions, bookQuery, currencyOf, differencesQuery, type Document, currentBook, type Summary, useNames } from './books';
import { plural } from '../../shared/words';
import { type Names, pathWords, valueWords } from './words';

export function Compare({ books }: { books: readonly Summary[] }) {
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const current = currentBook(books)?.version ?? 1;
  const version = numberOf(search.book) ?? books[0]?.version ?? 1;
  const against = numberOf(search.against) ?? (version === current ? Math.max(version - 1, 1) : current);
  const choose = (chosen: { book?: string; against?: string }): void => {
    const both = { book: String(version), against: String(against), ...chosen };
    void navigate({ to: '/prices', search: { view: 'compare', ...both }, replace: true });
  };
  if (books.length < 2) return <EmptyState>Publish a second price book to compare.</EmptyState>;
  const options = bookOptions(books);
  return (
    <Stack>
      <Group>
        <NativeSelect
          label="Old"
          data={options}
          value={String(against)}
          onChange={(event) => choose({ against: event.currentTarget.value })}
        />
        <NativeSelect
          label="New"
          data={options}
          value={String(version)}
          onChange={(event) => choose({ book: event.currentTarget.value })}
        />
      </Group>
      <Comparison version={version} against={against} />
    </Stack>
  );
}

function Comparison({ version, against }: { version: number; against: number }) {
  const { data: comparison, error, refetch } = useQuery(differencesQuery(version, against));
  const { data: book } = useQuery(bookQuery(version));
  if (error !== null) return <ErrorAlert error={error} retry={() => void refetch()} />;
  if (comparison === undefined) return <Loading what="Comparing" />;
  const { differences } = comparison;
  return (
    <>
      <Text role="status">{differences.length === 0 ? 'No differences' : plural(differences.length, 'difference')}</Text>
      <Differences differences={differences} currency={currencyOf((book?.book ?? {}) as Document)} />
    </>
  );
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

export type Difference = Schema<'PriceDifferences'>['differences'][number];

export function Differences({ differences, currency }: { differences: readonly Difference[]; currency: string }) {
  const names = useNames();
  if (differences.length === 0) return null;
  return <StaticTable label="Differences" rows={differences} keyOf={({ path }) => path} columns={columnsOf(currency, names)} empty="" />;
}

function columnsOf(currency: string, names: Names): RowsColumn<Difference>[] {
  const words = (path: string, value: unknown, isThere: boolean): string =>
    isThere ? valueWords(path.split('.'), value, currency, names) : '–';
  return [
    {
      heading: 'Rate',
      cell: ({ path }) => (
        <Stack gap={0}>
          <span>{pathWords(path, names)}</span>
          <span className="mono quiet">{path}</span>
        </Stack>
      ),
    },
    { heading: 'Old', cell: ({ path, before, change }) => words(path, before, change !== 'added'), right: true },
    { heading: 'New', cell: ({ path, after, change }) => words(path, after, change !== 'removed'), right: true },
    { heading: 'Change', cell: ({ before, after }) => share(before, after), right: true },
  ];
}

const PERCENT = new Intl.NumberFormat('en-AU', { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' });

function share(before: unknown, after: unknown): string {
  if (typeof before !== 'number' || typeof after !== 'number' || before === 0) return '–';
  return PERCENT.format((after - before) / before);
}
