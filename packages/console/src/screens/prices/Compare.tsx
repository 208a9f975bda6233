import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { callApi, type Schema, studio } from '../../api/studio';
import { StaticTable, type RowsColumn } from '../../shared/list';
import { EmptyState, Loaded } from '../../shared/feedback';
import { bookOptions, bookQuery, currencyOf, type Document, currentBook, type Book, useNames, versionOf } from './books';
import { useSearchParams } from '../../shared/search-params';
import { plural } from '../../shared/words';
import { type Names, pathWords, valueWords } from './words';

export function Compare({ books }: { books: readonly Book[] }) {
  const [search, change] = useSearchParams();
  const current = currentBook(books)?.version ?? 1;
  const version = versionOf(search.book) ?? books[0]?.version ?? 1;
  const against = versionOf(search.against) ?? (version === current ? Math.max(version - 1, 1) : current);
  if (books.length < 2) return <EmptyState>Publish a second price book to compare.</EmptyState>;
  const options = bookOptions(books);
  return (
    <Stack>
      <Group>
        <NativeSelect
          label="Old"
          data={options}
          value={String(against)}
          onChange={(event) => change({ book: String(version), against: event.currentTarget.value })}
        />
        <NativeSelect
          label="New"
          data={options}
          value={String(version)}
          onChange={(event) => change({ book: event.currentTarget.value, against: String(against) })}
        />
      </Group>
      <Comparison version={version} against={against} />
    </Stack>
  );
}

function Comparison({ version, against }: { version: number; against: number }) {
  const comparison = useQuery({
    queryKey: ['price-books', 'differences', version, against],
    queryFn: () => {
      const params = { path: { version }, query: { against: String(against) } };
      return callApi(studio.GET('/price-books/{version}/diff', { params }));
    },
  });
  const { data: book } = useQuery(bookQuery(version));
  return (
    <Loaded query={comparison} what="Comparing">
      {({ differences }) => <Differences differences={differences} currency={currencyOf((book?.book ?? {}) as Document)} />}
    </Loaded>
  );
}

export type Difference = Schema<'PriceDifferences'>['differences'][number];

export function Differences({ differences, currency }: { differences: readonly Difference[]; currency: string }) {
  const names = useNames();
  return (
    <>
      <Text size="sm" role="status">
        {differences.length === 0 ? 'No differences' : plural(differences.length, 'difference')}
      </Text>
      {differences.length > 0 && (
        <StaticTable label="Differences" rows={differences} keyOf={({ path }) => path} columns={columnsOf(currency, names)} empty="" />
      )}
    </>
  );
}

function columnsOf(currency: string, names: Names): RowsColumn<Difference>[] {
  const words = (path: string, value: unknown, isThere: boolean): string =>
    isThere ? valueWords(path.split('.'), value, currency, names) : '–';
  return [
    {
      heading: 'Rate',
      wrap: true,
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
