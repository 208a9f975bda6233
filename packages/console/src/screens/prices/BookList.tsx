import { Badge, Group } from '@mantine/core';
import { type RowsColumn, StaticTable } from '../../shared/list';
import { TextLink } from '../../shared/text-link';
import { personName } from '../../shared/words';
import { Time } from '../../shared/time';
import type { Book, BookState } from './books';

export function PricesLink({ search, children }: { search: Readonly<Record<string, string>>; children: React.ReactNode }) {
  return (
    <TextLink to="/prices" search={search} size="sm">
      {children}
    </TextLink>
  );
}

export function BookList({ books }: { books: readonly Book[] }) {
  const columns: readonly RowsColumn<Book>[] = [
    {
      heading: 'Book',
      cell: ({ version }) => <PricesLink search={{ view: 'books', book: String(version) }}>Book {version}</PricesLink>,
    },
    { heading: 'Status', cell: ({ state }) => <StateBadge state={state} /> },
    { heading: 'Effective', cell: ({ effectiveAt }) => <Time at={effectiveAt} /> },
    { heading: 'Published by', wrap: true, cell: ({ publishedBy }) => personName(publishedBy) },
    { heading: 'Published', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { heading: '', cell: ({ version }) => <BookActions version={version} />, right: true },
  ];
  return (
    <StaticTable
      label="Price books"
      rows={books}
      keyOf={({ version }) => String(version)}
      columns={columns}
      empty="No price books yet. Publish a draft to give quotes."
    />
  );
}

export function BookActions({ version }: { version: number }) {
  return (
    <Group gap="sm" justify="flex-end">
      <PricesLink search={{ view: 'compare', book: String(version) }}>Compare</PricesLink>
      <PricesLink search={{ view: 'draft', from: String(version) }}>Start draft</PricesLink>
    </Group>
  );
}

const COLORS: Readonly<Record<BookState, string>> = { Current: 'green', Scheduled: 'indigo', Past: 'gray' };

export function StateBadge({ state }: { state: BookState }) {
  return (
    <Badge variant="dot" color={COLORS[state]} tt="none" fw={500} className="nowrap">
      {state}
    </Badge>
  );
}
