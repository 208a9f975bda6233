import pLimit from 'p-limit';
import type { Page, PageMark } from '../../../db/keyset';
import { stillStands } from '../../../db/repositories/sessions';
import { ApiError } from '../../../domain/errors';
import { type CsvColumns, csvHead, csvRows } from '../../../presenters/csv';
import * as json from '../../openapi/json';
import { QueueOverloaded } from '../../../runtime/keyed-queue';
import { type Filters, readFilters, type Schemas } from '../../filters';
import { answerPage, type List } from '../../paging';
import { zoneOf } from '../../pdf';
import { PAGE } from '../../schemas/paging';
import type { Answer } from '../../types';
import { studioDay } from './order-view';
import type { StudioEndpointRow, StudioRequest } from './types';

/** A list with filters and a sort. */
export interface FilteredList<R, S extends Schemas, P = unknown> extends Omit<List<R>, 'find' | 'filters' | 'mark'> {
  /** The cursor position of a row under the current sort. */
  mark: (row: R, filters: Filters<S>) => PageMark;
  find: (filters: Filters<S>, page: Page) => Promise<R[]>;
  present: (row: R) => P;
}

interface ListEndpoint<R, S extends Schemas, P> extends Omit<StudioEndpointRow, 'method' | 'query' | 'answer' | 'paged' | 'handler'> {
  filters: S;
  /** The schema of one row. */
  entry: json.JsonSchema;
  list: (request: StudioRequest) => FilteredList<R, S, P> | Promise<FilteredList<R, S, P>>;
  /** The same list as a file. */
  csv?: { id: string; summary: string; columns: CsvColumns<P> | ((request: StudioRequest) => Promise<CsvColumns<P>>) };
}

/** The endpoint of a list's pages and, if the list has one, of its CSV file. */
export function endpointsOfList<R, S extends Schemas, P>({
  filters,
  entry,
  list,
  csv,
  ...row
}: ListEndpoint<R, S, P>): StudioEndpointRow[] {
  const pages: StudioEndpointRow = {
    ...row,
    method: 'GET',
    query: { ...PAGE, ...filters },
    answer: json.list(entry),
    paged: true,
    handler: async (request) => answerFiltered(request, filters, await list(request)),
  };
  if (csv === undefined) return [pages];
  const { columns, ...told } = csv;
  const handler = async (request: StudioRequest): Promise<Answer> =>
    answerCsv(request, filters, await list(request), typeof columns === 'function' ? await columns(request) : columns);
  return [pages, { method: 'GET', path: `${row.path}.csv`, role: row.role, query: filters, ...CSV, ...told, handler }];
}

/** A file of rows, outside the envelope. Its errors use the envelope (ruling 64). */
export const CSV = {
  description:
    'Every row that the list has, filtered and sorted as it is, each page as of its own reading. UTF-8 with a byte order mark; amounts are decimal ' +
    "numbers beside their currency, times on the studio's clock with its offset; text that a spreadsheet would take for a formula begins with `'`. " +
    'A file that is not whole ends with a broken connection.',
  media: 'text/csv',
  answer: json.FILE,
  answerHeaders: { 'Content-Disposition': json.string('to be saved, under a name with the day') },
};

/** One page of a filtered list. A cursor keeps the filters and refuses others (ruling 61). */
function answerFiltered<R, S extends Schemas>(request: StudioRequest, schemas: S, list: FilteredList<R, S>): Promise<Answer> {
  const { name, present, find, mark } = list;
  const named = readFilters(request.query, schemas);
  let used: Filters<S> = {}; // of the request, or of its cursor
  return answerPage(request, {
    name: `studio/${name}`, // studio cursors do not work in the trade API
    filters: Object.keys(named).length === 0 ? null : JSON.stringify(named),
    find: (limit, after, kept) => {
      used = kept === '' ? {} : (JSON.parse(kept) as Filters<S>);
      return find(used, { limit, after });
    },
    mark: (row) => mark(row, used),
    present,
  });
}

/** Rows per read; bounds memory. */
const PAGE_ROWS = 500;
const PAGES_AT_ONCE = 2;
const MAX_WAITING_PAGES = 30;

/** Keeps connections free for other requests. A download holds no place while its client reads. */
const pageReads = pLimit(PAGES_AT_ONCE);

/** @throws QueueOverloaded while too many pages wait. A download that has started is not refused. */
function assertMayStart(): void {
  if (pageReads.activeCount + pageReads.pendingCount >= PAGES_AT_ONCE + MAX_WAITING_PAGES)
    throw new QueueOverloaded(`${MAX_WAITING_PAGES} pages of lists are waiting to be read`);
}

/**
 * The whole list as CSV with the list's filters and sort, read page by page as fast as the caller takes it (ruling 64). The first page is
 * read before anything is sent, so errors still get a status. The credential is checked again before each further page.
 */
export async function answerCsv<R, S extends Schemas, P>(
  request: StudioRequest,
  schemas: S,
  list: FilteredList<R, S, P>,
  columns: CsvColumns<P>,
): Promise<Answer> {
  const pages = pagesOf(list, readFilters(request.query, schemas), () => assertStands(request));
  const first = await pages.next();
  const timeZone = await zoneOf(request);
  return csvFile(`${list.name}-${await studioDay(request)}`, linesOf(columns, first.value ?? [], pages, timeZone));
}

/** A file that is streamed. If a read fails, the connection breaks. */
export function csvFile(name: string, lines: AsyncIterable<string> | Iterable<string>): Answer {
  return {
    file: { contentType: 'text/csv; charset=utf-8', bytes: lines },
    headers: { 'Content-Disposition': `attachment; filename="${name}.csv"` },
  };
}

async function* linesOf<P>(
  columns: CsvColumns<P>,
  first: readonly P[],
  rest: AsyncIterable<P[]>,
  timeZone: string,
): AsyncGenerator<string> {
  yield csvHead(columns);
  if (first.length > 0) yield csvRows(columns, first, timeZone);
  for await (const page of rest) yield csvRows(columns, page, timeZone);
}

/** No response carries this error: the download breaks off. @throws ApiError UNAUTHORIZED */
async function assertStands({ deps, caller }: StudioRequest): Promise<void> {
  if (!(await stillStands(deps.database, caller.credential)))
    throw new ApiError('UNAUTHORIZED', 'the token or session by which this file was asked for is over');
}

/** Each page has its own transaction, so none is open while the caller reads. */
async function* pagesOf<R, S extends Schemas, P>(
  { find, mark, present }: FilteredList<R, S, P>,
  filters: Filters<S>,
  assertMayGoOn: () => Promise<void>,
): AsyncGenerator<P[], undefined> {
  for (let after: PageMark | null = null; ;) {
    if (after === null) assertMayStart();
    const page = { limit: PAGE_ROWS, after };
    const rows: R[] = await pageReads(() => find(filters, page));
    const last = rows.at(-1);
    if (last !== undefined) yield rows.map(present);
    if (last === undefined || rows.length < PAGE_ROWS) return undefined;
    after = mark(last, filters);
    await assertMayGoOn();
  }
}
