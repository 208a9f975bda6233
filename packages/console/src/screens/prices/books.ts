import { queryOptions, useQuery } from '@tanstack/react-query';
import { ask, page, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import type { Names } from './words';

export type Summary = Of<'PriceBookSummary'>;
/** A book's document: what it holds depends on its schema, and is shown as it is. */
export type Document = Readonly<Record<string, unknown>>;

const NEWEST = 100;

export const booksQuery = queryOptions({
  queryKey: ['price-books', 'all'],
  queryFn: async () => (await page(studio.GET('/price-books', { params: { query: { limit: NEWEST } } }))).rows,
});

export const bookQuery = (version: number) =>
  queryOptions({
    queryKey: ['price-books', 'one', version],
    queryFn: () => ask(studio.GET('/price-books/{version}', { params: { path: { version } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const differencesQuery = (version: number, against: number) =>
  queryOptions({
    queryKey: ['price-books', 'differences', version, against],
    queryFn: () =>
      ask(
        studio.GET('/price-books/{version}/diff', {
          params: { path: { version }, query: { against: String(against) } },
        }),
      ),
  });

/** Which book prices what is asked for now: of those that have begun the one that began last, of equals the highest version. */
export function inForce(books: readonly Summary[], now = Date.now()): Summary | undefined {
  return books
    .filter(({ effectiveAt }) => Date.parse(effectiveAt) <= now)
    .toSorted((one, other) => Date.parse(other.effectiveAt) - Date.parse(one.effectiveAt) || other.version - one.version)[0];
}

export type Standing = 'In force' | 'To come' | 'Past';

export function standingOf(book: Summary, books: readonly Summary[], now = Date.now()): Standing {
  if (inForce(books, now)?.version === book.version) return 'In force';
  return Date.parse(book.effectiveAt) > now ? 'To come' : 'Past';
}

export const bookOptions = (books: readonly Summary[]): { value: string; label: string }[] =>
  books.map((book) => ({ value: String(book.version), label: `Book ${book.version}, ${standingOf(book, books).toLowerCase()}` }));

export const currencyOf = (document: Document): string => (typeof document.currency === 'string' ? document.currency : 'AUD');

const SECTIONS = ['products', 'media', 'canvasMedia', 'everydayArtMedia', 'mouldings', 'matboards', 'glazing', 'backing'] as const;
const NONE: Names = new Map();

/** What the catalogue calls what a book has rates for. Until it has been read, ids stand there. */
export function useNames(): Names {
  const { data = NONE } = useQuery({ queryKey: ['catalogue', 'names'], queryFn: readNames, staleTime: 60_000 });
  return data;
}

async function readNames(): Promise<Names> {
  const sections = await Promise.all(
    SECTIONS.map((section) => page(studio.GET('/catalogue/{section}', { params: { path: { section } } }))),
  );
  const rows = sections.flatMap((section) => section.rows as { id?: string; slug?: string; name?: string }[]);
  return new Map(rows.map(({ id, slug, name }) => [id ?? slug ?? '', name ?? '']));
}
