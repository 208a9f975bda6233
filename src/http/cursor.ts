import type { Page, PageCursor } from '../db/keyset';
import { validationError } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import { MAX_CURSOR_LENGTH } from './schemas/paging';
import { equalInConstantTime, hmacTag } from '../security/fingerprint';

/** The row after which the cursor's page starts, and the filters of the list as text ('' without filters). */
export interface CursorContent {
  pageCursor: PageCursor;
  filters: string;
}

/** Creates and reads opaque cursors. A cursor is valid for one list, such as the orders of one account and environment. */
export class Cursors {
  constructor(private readonly secret: string) {}

  issue(list: string, { pageCursor, filters }: CursorContent): string {
    const content = JSON.stringify([
      pageCursor.createdAt.getTime(),
      pageCursor.id,
      filters,
      ...(pageCursor.name === undefined ? [] : [pageCursor.name]),
    ]);
    return Buffer.from(this.tagOf(list, content) + content).toString('base64url');
  }

  /** @throws ApiError VALIDATION_ERROR at `query.cursor` for a cursor that this list did not issue. */
  read(list: string, cursor: string): CursorContent {
    const text = Buffer.from(cursor.slice(0, MAX_CURSOR_LENGTH), 'base64url').toString();
    const start = text.indexOf('[');
    const content = text.slice(start);
    const isValid =
      equalInConstantTime(text.slice(0, start), this.tagOf(list, content)) && Buffer.from(text).toString('base64url') === cursor;
    if (!isValid) throw queryError('cursor', 'must be a nextCursor of this list; leave it out to start again');
    const [time, id, filters, name] = JSON.parse(content) as [number, string, string, string?];
    return { pageCursor: { createdAt: new Date(time), id, ...(name === undefined ? {} : { name }) }, filters };
  }

  private tagOf(list: string, content: string): string {
    return hmacTag([list, content].join('\n'), this.secret);
  }
}

/** Reads the requested page. Each parameter occurs at most once, `limit` is 1 to 100 (specification "GET /orders"). */
export function readPage(query: URLSearchParams, cursors: Cursors, list: string): Page & Pick<CursorContent, 'filters'> {
  const limit = readLimit(query);
  const cursor = singleValue(query, 'cursor');
  if (cursor === null) return { limit, after: null, filters: '' };
  const { pageCursor, filters } = cursors.read(list, cursor);
  return { limit, after: pageCursor, filters };
}

/** The page size. @throws ApiError VALIDATION_ERROR at `query.limit` */
export function readLimit(query: URLSearchParams): number {
  const text = singleValue(query, 'limit') ?? String(LIMITS.defaultPageSize);
  if (/^([1-9][0-9]?|100)$/.test(text)) return Number(text);
  throw queryError('limit', `must be a whole number from 1 to ${LIMITS.pageSize}`);
}

/** A query parameter, or null. @throws ApiError VALIDATION_ERROR if it is repeated */
export function singleValue(query: URLSearchParams, name: string): string | null {
  const values = query.getAll(name);
  if (values.length > 1) throw queryError(name, 'must be sent once');
  return values[0] ?? null;
}

export function queryError(name: string, message: string) {
  return validationError([{ path: `query.${name}`, message }]);
}
