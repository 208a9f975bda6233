import { Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CatchBoundary, useNavigate, useSearch } from '@tanstack/react-router';
import { useMay } from '../../session/session';
import { useTitle } from '../../shared/title';
import { Nothing, Refused, Waiting } from '../../shared/told';
import { BookList } from './BookList';
import { booksQuery, type Summary } from './books';
import { BookView } from './BookView';
import { Compare } from './Compare';
import { DraftDesk, DraftFault } from './DraftDesk';

const VIEWS = { books: 'Books', compare: 'Compare two', draft: 'Try and publish a draft' } as const;

export function Prices() {
  const isShown = useMay('admin');
  const search = useSearch({ strict: false });
  useTitle(isShown ? titleOf(search) : 'Prices');
  return (
    <Stack>
      <Title order={1}>Prices</Title>
      {isShown ? <Views /> : <Nothing>Price books are shown to admins alone. Sign in with an admin token to see them.</Nothing>}
    </Stack>
  );
}

function titleOf({ view, book }: { view?: string; book?: string }): string {
  if (view === 'draft') return 'Draft of a price book';
  if (view === 'compare') return 'Price books compared';
  return isVersion(book) ? `Price book ${book}` : 'Prices';
}

const isVersion = (book: string | undefined): book is string => book !== undefined && /^[1-9]\d{0,8}$/.test(book);

function Views() {
  const navigate = useNavigate();
  const { view: named = 'books' } = useSearch({ strict: false });
  const { data: books, error, refetch } = useQuery(booksQuery);
  if (error !== null && books === undefined) return <Refused error={error} retry={() => void refetch()} />;
  if (books === undefined) return <Waiting what="Reading the price books" />;
  const view = Object.hasOwn(VIEWS, named) ? named : 'books';
  return (
    <Tabs value={view} keepMounted={false} onChange={(next) => void navigate({ to: '/prices', search: { view: next ?? undefined } })}>
      <Tabs.List aria-label="Prices">
        {Object.entries(VIEWS).map(([value, name]) => (
          <Tabs.Tab key={value} value={value}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="books" pt="md">
        <Books books={books} />
      </Tabs.Panel>
      <Tabs.Panel value="compare" pt="md">
        <Compare books={books} />
      </Tabs.Panel>
      <Tabs.Panel value="draft" pt="md">
        <CatchBoundary getResetKey={() => 'draft'} errorComponent={DraftFault}>
          <DraftDesk books={books} />
        </CatchBoundary>
      </Tabs.Panel>
    </Tabs>
  );
}

function Books({ books }: { books: readonly Summary[] }) {
  const { book } = useSearch({ strict: false });
  if (isVersion(book)) return <BookView version={Number(book)} books={books} />;
  return (
    <Stack>
      <Text size="sm">A book is never changed: a new price is a new book. Quotes that were given keep the book that priced them.</Text>
      <BookList books={books} />
    </Stack>
  );
}
