import { Badge, Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Rows, type RowsColumn } from '../../shared/list';
import { When } from '../../shared/when';
import { type Standing, standingOf, type Summary } from './books';
import { To } from '../../shared/to';

interface BookLinkProps {
  search: Readonly<Record<string, string>>;
  children: React.ReactNode;
  variant?: 'filled' | 'default';
}

export function BookLink({ search, children, variant }: BookLinkProps) {
  if (variant === undefined)
    return (
      <To to="/prices" search={search} size="md">
        {children}
      </To>
    );
  return (
    <Button size="xs" variant={variant} renderRoot={(props: object) => <Link to="/prices" search={search} {...props} />}>
      {children}
    </Button>
  );
}

export function BookList({ books }: { books: readonly Summary[] }) {
  return (
    <Rows
      label="Price books"
      rows={books}
      keyOf={({ version }) => String(version)}
      columns={columnsOf(books)}
      empty="No price book is published yet, and without one nothing can be quoted. Publish one under “Try and publish a draft”."
    />
  );
}

const columnsOf = (books: readonly Summary[]): RowsColumn<Summary>[] => [
  {
    heading: 'Book',
    cell: ({ version }) => <BookLink search={{ view: 'books', book: String(version) }}>Book {version}</BookLink>,
  },
  { heading: 'State', cell: (book) => <StandingBadge standing={standingOf(book, books)} /> },
  { heading: 'From', cell: ({ effectiveAt }) => <When at={effectiveAt} /> },
  { heading: 'Published by', cell: ({ publishedBy }) => publishedBy },
  { heading: 'Published', cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    heading: 'What to do',
    cell: ({ version }) => (
      <Group gap="sm" justify="flex-end">
        <BookLink search={{ view: 'compare', book: String(version) }}>Compare</BookLink>
        <BookLink search={{ view: 'draft', from: String(version) }}>Draft from it</BookLink>
      </Group>
    ),
    right: true,
  },
];

const COLOURS: Readonly<Record<Standing, string>> = { 'In force': 'green', 'To come': 'indigo', Past: 'gray' };

export function StandingBadge({ standing }: { standing: Standing }) {
  return (
    <Badge variant="dot" color={COLOURS[standing]} tt="none" fw={500} className="nowrap">
      {standing}
    </Badge>
  );
}
