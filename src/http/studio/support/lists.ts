import pLimit from 'p-limit';
import type { Page, PageCursor } from '../../../db/keyset';
import { isCredentialValid } from '../../../db/repositories/sessions';
import { ApiError } from '../../../domain/errors';
import { type CsvColumns, csvHead, csvRows } from '../../../presenters/csv';
import * as json from '../../openapi/json';
import { QueueOverloaded } from '../../../runtime/keyed-queue';
import { type Filters, readFilters, type FilterSchemas } from '../../filters';
import { respondWithPage } from '../../paging';
import { PAGE_PARAMETERS } from '../../schemas/paging';
import type { HandlerResponse } from '../../types';
import { studioTimeZone, studioToday } from './book-in-force';
import type { StudioEndpointRow, StudioRequest } from './types';

/** A list with filters and a sort. */
export interface FilteredList<R, S extends FilterSchemas, P = unknown> {
  /** Identifies the list in its cursors; the default is the path. */
  name?: string;
  /** The cursor position of a row under the current sort. */
  cursorOf: (row: R, filters: Filters<S>) => PageCursor;
  find: (filters: Filters<S>, page: Page) => Promise<R[]>;
  /** A row of the list; several for rows of a file. */
  present: (row: R) => P | readonly P[];
}

interface ListEndpoint<R, S extends FilterSchemas, P> extends Omit<
  StudioEndpointRow,
  'method' | 'query' | 'response' | 'paged' | 'handler'
> {
  filters: S;
  /** The schema of one row. */
  entry: json.JsonSchema;
  list: (request: StudioRequest) => FilteredList<R, S, P> | Promise<FilteredList<R, S, P>>;
  csv?: CsvExport<P>;
  totals?: Totals<S>;
}

interface CsvExport<P> {
  id: string;
  summary: string;
  columns: CsvColumns<P>;
}

/** The sums of the filtered list. */
interface Totals<S extends FilterSchemas> {
  id: string;
  summary: string;
  description: string;
  response: json.JsonSchema;
  find: (request: StudioRequest, filters: Filters<S>) => Promise<unknown>;
}

/** The endpoints of a list's pages and, if the list has them, of its CSV file and its sums. */
export function defineList<R, S extends FilterSchemas, P>({
  filters,
  entry,
  list,
  csv,
  totals,
  ...row
}: ListEndpoint<R, S, P>): StudioEndpointRow[] {
  const load = async (request: StudioRequest) => ({ name: nameOf(row.path, request), ...(await list(request)) });
  const pages: StudioEndpointRow = {
    ...row,
    method: 'GET',
    query: { ...PAGE_PARAMETERS, ...filters },
    response: json.list(entry),
    paged: true,
    handler: async (request) => respondWithFilteredPage(request, filters, await load(request)),
  };
  return [
    pages,
    ...(csv === undefined ? [] : [csvEndpoint(row, filters, csv, load)]),
    ...(totals === undefined ? [] : [totalsEndpoint(row, filters, totals)]),
  ];
}

type RowOfList = Pick<StudioEndpointRow, 'path' | 'role'>;

function csvEndpoint<R, S extends FilterSchemas, P>(
  { path, role }: RowOfList,
  filters: S,
  { columns, ...operation }: CsvExport<P>,
  load: (request: StudioRequest) => Promise<NamedList<R, S, P>>,
): StudioEndpointRow {
  const handler = async (request: StudioRequest): Promise<HandlerResponse> =>
    respondWithCsv(request, filters, await load(request), columns);
  return { method: 'GET', path: `${path}.csv`, role, query: filters, ...CSV_RESPONSE, ...operation, handler };
}

function totalsEndpoint<S extends FilterSchemas>(
  { path, role }: RowOfList,
  { sort: _sort, ...filters }: S,
  { find, ...operation }: Totals<S>,
): StudioEndpointRow {
  const handler = async (request: StudioRequest): Promise<HandlerResponse> => ({
    data: await find(request, readFilters(request.query, filters) as Filters<S>),
  });
  return { method: 'GET', path: `${path}/totals`, role, query: filters, ...operation, handler };
}

/** `accounts/acc_1/refunds` for `/accounts/:id/refunds`. */
const nameOf = (path: string, { params }: StudioRequest): string =>
  path.slice(1).replace(/:(\w+)/g, (_, parameter: string) => params[parameter] ?? '');

type NamedList<R, S extends FilterSchemas, P = unknown> = FilteredList<R, S, P> & { name: string };

/** A file of rows, outside the envelope. Its errors use the envelope. */
export const CSV_RESPONSE = {
  description:
    "Exports all rows of the list with its filters and sort. Each page is read separately. The file is UTF-8 with a byte order mark. Amounts are decimal numbers beside their currency. A time is two columns, the day `YYYY-MM-DD` and the time `HH:MM:SS` in the time zone of the studio. Text that a spreadsheet would read as a number, a day or a formula begins with `'`. If the file is incomplete, the connection breaks.",
  mediaType: 'text/csv',
  response: json.FILE,
  responseHeaders: { 'Content-Disposition': json.string('an attachment with the day in its name') },
};

/** Responds with a page of a filtered list. The cursor contains the filters, and a request with other filters is refused. */
function respondWithFilteredPage<R, S extends FilterSchemas>(
  request: StudioRequest,
  schemas: S,
  list: NamedList<R, S>,
): Promise<HandlerResponse> {
  const { name, present, find, cursorOf } = list;
  const requestedFilters = readFilters(request.query, schemas);
  let effectiveFilters: Filters<S> = {}; // from the request, or from its cursor
  return respondWithPage(request, {
    name: `studio/${name}`, // studio cursors do not work in the trade API
    filters: Object.keys(requestedFilters).length === 0 ? null : JSON.stringify(requestedFilters),
    find: (limit, after, cursorFilters) => {
      effectiveFilters = cursorFilters === '' ? {} : (JSON.parse(cursorFilters) as Filters<S>);
      return find(effectiveFilters, { limit, after });
    },
    cursorOf: (row) => cursorOf(row, effectiveFilters),
    present,
  });
}

/** Maximum of rows per read, to limit memory. */
const EXPORT_PAGE_SIZE = 500;
const MAX_CONCURRENT_PAGES = 2;
const MAX_WAITING_PAGES = 30;

/** Keeps database connections free for other requests. A download takes a slot only while it reads a page. */
const pageReadLimit = pLimit(MAX_CONCURRENT_PAGES);

/** Called before a download starts. @throws QueueOverloaded while too many pages wait */
function assertPageCapacity(): void {
  if (pageReadLimit.activeCount + pageReadLimit.pendingCount >= MAX_CONCURRENT_PAGES + MAX_WAITING_PAGES)
    throw new QueueOverloaded(`${MAX_WAITING_PAGES} list pages are waiting`);
}

/**
 * Responds with the whole list as CSV, with its filters and sort. It reads a page when the client has received the previous one. The first
 * page is read before the response starts, so its errors get a status. Each further page checks the credential again.
 */
export async function respondWithCsv<R, S extends FilterSchemas, P>(
  request: StudioRequest,
  schemas: S,
  list: NamedList<R, S, P>,
  columns: CsvColumns<P>,
): Promise<HandlerResponse> {
  const pages = readPages(list, readFilters(request.query, schemas), () => assertCredentialValid(request));
  const first = await pages.next();
  const timeZone = await studioTimeZone(request);
  return csvResponse(`${list.name}-${await studioToday(request)}`, csvLines(columns, first.value ?? [], pages, timeZone));
}

/** A file that is streamed. If a read fails, the connection breaks. */
export function csvResponse(name: string, lines: AsyncIterable<string> | Iterable<string>): HandlerResponse {
  return {
    file: { contentType: 'text/csv; charset=utf-8', bytes: lines },
    headers: { 'Content-Disposition': `attachment; filename="${name}.csv"` },
  };
}

async function* csvLines<P>(
  columns: CsvColumns<P>,
  first: readonly P[],
  rest: AsyncIterable<P[]>,
  timeZone: string,
): AsyncGenerator<string> {
  yield csvHead(columns);
  if (first.length > 0) yield csvRows(columns, first, timeZone);
  for await (const page of rest) yield csvRows(columns, page, timeZone);
}

/** The response has already started, so the error only ends the connection. @throws ApiError UNAUTHORIZED */
async function assertCredentialValid({ deps, caller }: StudioRequest): Promise<void> {
  if (!(await isCredentialValid(deps.database, caller.credential)))
    throw new ApiError('UNAUTHORIZED', 'the token or session of this download has ended; sign in again');
}

/** Each page has its own transaction, so no transaction is open while the client receives a page. */
async function* readPages<R, S extends FilterSchemas, P>(
  { find, cursorOf, present }: FilteredList<R, S, P>,
  filters: Filters<S>,
  assertMayContinue: () => Promise<void>,
): AsyncGenerator<P[], undefined> {
  for (let after: PageCursor | null = null; ;) {
    if (after === null) assertPageCapacity();
    const page = { limit: EXPORT_PAGE_SIZE, after };
    const rows: R[] = await pageReadLimit(() => find(filters, page));
    const last = rows.at(-1);
    if (last !== undefined) yield rows.flatMap(present);
    if (last === undefined || rows.length < EXPORT_PAGE_SIZE) return undefined;
    after = cursorOf(last, filters);
    await assertMayContinue();
  }
}
