import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Loaded } from '../../shared/feedback';
import { Screen } from '../../shared/layout';
import { useSearchParams } from '../../shared/search-params';
import { useServiceTime } from '../../shared/today';
import { BookList } from './BookList';
import { booksQuery, versionOf, withStates } from './books';
import { BookView } from './BookView';
import { Compare } from './Compare';
import { DraftPage } from './DraftPage';

const VIEWS = { books: 'Price books', compare: 'Compare', draft: 'Draft' } as const;

export function Prices() {
  const [{ view, book }] = useSearchParams();
  return (
    <Screen title="Prices" tab={titleOf(view, versionOf(book))} minRole="admin" what="prices">
      <Views />
    </Screen>
  );
}

function titleOf(view: string | undefined, version: number | null): string {
  if (view === 'draft') return 'Price draft';
  if (view === 'compare') return 'Compare price books';
  return version === null ? 'Prices' : `Price book ${version}`;
}

function Views() {
  const [{ view: name = 'books', book }] = useSearchParams();
  const navigate = useNavigate();
  const version = versionOf(book);
  const query = useQuery(booksQuery);
  const now = useServiceTime((query.data ?? []).map(({ effectiveAt }) => effectiveAt));
  return (
    <Tabs
      value={Object.hasOwn(VIEWS, name) ? name : 'books'}
      keepMounted={false}
      onChange={(view) => void navigate({ to: '/prices', search: { view: view ?? undefined } })}
    >
      <Tabs.List aria-label="Prices">
        {Object.entries(VIEWS).map(([value, label]) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Loaded query={query} what="Loading price books">
        {(summaries) => {
          const books = withStates(summaries, now);
          return (
            <>
              <Tabs.Panel value="books" pt="md">
                {version === null ? <BookList books={books} /> : <BookView version={version} books={books} />}
              </Tabs.Panel>
              <Tabs.Panel value="compare" pt="md">
                <Compare books={books} />
              </Tabs.Panel>
              <Tabs.Panel value="draft" pt="md">
                <DraftPage books={books} />
              </Tabs.Panel>
            </>
          );
        }}
      </Loaded>
    </Tabs>
  );
}
