import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi, callApiPage, type Schema, studio } from '../../api/studio';
import type { Names } from './words';

export type BookSummary = Schema<'PriceBookSummary'>;
/** The fields depend on the schema of the book. */
export type Document = Readonly<Record<string, unknown>>;

const NEWEST = 100;

export const booksQuery = queryOptions({
  queryKey: ['price-books', 'all'],
  queryFn: async () => (await callApiPage(studio.GET('/price-books', { params: { query: { limit: NEWEST } } }))).rows,
});

export const bookQuery = (version: number) =>
  queryOptions({
    queryKey: ['price-books', 'one', version],
    queryFn: () => callApi(studio.GET('/price-books/{version}', { params: { path: { version } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The number of a book in the page's address. */
export const versionOf = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;

export type BookState = 'Current' | 'Scheduled' | 'Past';
export interface Book extends BookSummary {
  state: BookState;
}

/** The current book prices new quotes: the latest that has started. Of equals, the highest version. */
export function withStates(books: readonly BookSummary[], now: number): Book[] {
  const current = books
    .filter(({ effectiveAt }) => Date.parse(effectiveAt) <= now)
    .toSorted((one, other) => Date.parse(other.effectiveAt) - Date.parse(one.effectiveAt) || other.version - one.version)[0];
  const stateOf = (book: BookSummary): BookState => {
    if (book === current) return 'Current';
    return Date.parse(book.effectiveAt) > now ? 'Scheduled' : 'Past';
  };
  return books.map((book) => ({ ...book, state: stateOf(book) }));
}

export const currentBook = (books: readonly Book[]): Book | undefined => books.find(({ state }) => state === 'Current');

export const bookOptions = (books: readonly Book[]): { value: string; label: string }[] =>
  books.map(({ version, state }) => ({ value: String(version), label: `Book ${version}, ${state.toLowerCase()}` }));

export const currencyOf = (document: Document): string => (typeof document.currency === 'string' ? document.currency : 'AUD');

const SECTIONS = ['products', 'media', 'canvasMedia', 'everydayArtMedia', 'mouldings', 'matboards', 'glazing', 'backing'] as const;
const NONE: Names = new Map();

/** Names of the catalogue by their ids. Empty until they are loaded. */
export function useNames(): Names {
  const { data = NONE } = useQuery({ queryKey: ['catalogue', 'names'], queryFn: readNames, staleTime: 60_000 });
  return data;
}

async function readNames(): Promise<Names> {
  const sections = await Promise.all(
    SECTIONS.map((section) => callApiPage(studio.GET('/catalogue/{section}', { params: { path: { section } } }))),
  );
  const rows = sections.flatMap((section) => section.rows as { id?: string; slug?: string; name?: string }[]);
  return new Map(rows.map(({ id, slug, name }) => [id ?? slug ?? '', name ?? '']));
}
