import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CatchBoundary, useNavigate, useSearch } from '@tanstack/react-router';
import { ErrorAlert, Loading } from '../../shared/feedback';
import { Screen } from '../../shared/layout';
import { BookList } from './BookList';
import { booksQuery } from './books';
import { BookView } from './BookView';
import { Compare } from './Compare';
import { DraftError, DraftPage } from './DraftPage';

const VIEWS = { books: 'Price books', compare: 'Compare', draft: 'Draft' } as const;

export function Prices() {
  const search = useSearch({ strict: false });
  return (
    <Screen title="Prices" tab={titleOf(search)} minRole="admin" what="prices">
      <Views />
    </Screen>
  );
}

function titleOf({ view, book }: { view?: string; book?: string }): string {
  if (view === 'draft') return 'Price draft';
  if (view === 'compare') return 'Compare price books';
  return isVersion(book) ? `Price book ${book}` : 'Prices';
}

const isVersion = (book: string | undefined): book is string => book !== undefined && /^[1-9]\d{0,8}$/.test(book);

function Views() {
  const navigate = useNavigate();
  const { view: name = 'books', book } = useSearch({ strict: false });
  const { data: books, error, refetch } = useQuery(booksQuery);
  if (error !== null && books === undefined) return <ErrorAlert error={error} retry={() => void refetch()} />;
  if (books === undefined) return <Loading what="Loading price books" />;
  const view = Object.hasOwn(VIEWS, name) ? name : 'books';
  return (
    <Tabs value={view} keepMounted={false} onChange={(next) => void navigate({ to: '/prices', search: { view: next ?? undefined } })}>
      <Tabs.List aria-label="Prices">
        {Object.entries(VIEWS).map(([value, label]) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="books" pt="md">
        {isVersion(book) ? <BookView version={Number(book)} books={books} /> : <BookList books={books} />}
      </Tabs.Panel>
      <Tabs.Panel value="compare" pt="md">
        <Compare books={books} />
      </Tabs.Panel>
      <Tabs.Panel value="draft" pt="md">
        <CatchBoundary getResetKey={() => 'draft'} errorComponent={DraftError}>
          <DraftPage books={books} />
        </CatchBoundary>
      </Tabs.Panel>
    </Tabs>
  );
}
