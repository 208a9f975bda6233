import type { PageMark } from '../../../db/keyset';
import { stillStands } from '../../../db/repositories/sessions';
import { ApiError } from '../../../domain/errors';
import { type CsvColumns, csvHead, csvRows } from '../../../presenters/csv';
import type { Answer } from '../../types';
import { type FilteredList, type Filters, readFilters, type Schemas } from './filters';
import { studioDay } from './order-view';
import { PageTurns } from './page-turns';
import type { StudioRequest } from './types';

/** Read at once: so much is held, whatever the length of the list. */
const PAGE_ROWS = 500;

/** Of this process. */
const turns = new PageTurns(2, 30);

/**
 * The whole list as CSV, filtered and sorted as its pages are, read page by page as fast as the caller takes it (ruling 64). What is
 * refused is refused before anything was sent: the first page has been read by then. The file has the list's name and the day. Whoever may
 * read no longer gets no further page.
 */
export async function answerCsv<R, S extends Schemas, P>(
  request: StudioRequest,
  list: FilteredList<R, S, P>,
  columns: CsvColumns<P>,
): Promise<Answer> {
  const pages = pagesOf(list, readFilters(request.query, list.schemas), () => assertStands(request));
  const first = await pages.next();
  const timeZone = await zoneOf(request);
  return csvFile(`${list.name}-${await studioDay(request)}`, linesOf(columns, first.value ?? [], pages, timeZone));
}

/** A file that is sent as it comes; where that fails it has no end. */
export function csvFile(name: string, lines: AsyncIterable<string> | Iterable<string>): Answer {
  return {
    file: { contentType: 'text/csv; charset=utf-8', bytes: lines },
    headers: { 'Content-Disposition': `attachment; filename="${name}.csv"` },
  };
}

export const zoneOf = ({ deps }: StudioRequest): Promise<string> => deps.pricingTerms.timeZone(deps.database, deps.clock.now());

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

/** @throws ApiError UNAUTHORIZED, which nobody is answered: what was sent breaks off */
async function assertStands({ deps, caller }: StudioRequest): Promise<void> {
  if (!(await stillStands(deps.database, caller.credential)))
    throw new ApiError('UNAUTHORIZED', 'the token or session by which this file was asked for is over');
}

/** No transaction is open while the caller reads: each page is of its own moment. */
async function* pagesOf<R, S extends Schemas, P>(
  { find, mark, present }: FilteredList<R, S, P>,
  filters: Filters<S>,
  assertMayGoOn: () => Promise<void>,
): AsyncGenerator<P[], undefined> {
  for (let after: PageMark | null = null; ;) {
    const page = { limit: PAGE_ROWS, after };
    const rows: R[] = await turns.run(after === null, () => find(filters, page));
    const last = rows.at(-1);
    if (last !== undefined) yield rows.map(present);
    if (last === undefined || rows.length < PAGE_ROWS) return undefined;
    after = mark(last, filters);
    await assertMayGoOn();
  }
}
