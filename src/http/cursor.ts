import type { Page, PageMark } from '../db/keyset';
import { validationError } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import { LONGEST_CURSOR } from './schemas/paging';
import { sameTag, tag } from '../security/fingerprint';

/** Where a cursor's page begins, and the filters that it keeps as text: '' where there are none. */
export interface Position {
  mark: PageMark;
  filters: string;
}

/** Opaque cursors, each good for one list, which `list` names: of an account and environment, … */
export class Cursors {
  constructor(private readonly secret: string) {}

  issue(list: string, { mark, filters }: Position): string {
    const position = JSON.stringify([mark.createdAt.getTime(), mark.id, filters, ...(mark.name === undefined ? [] : [mark.name])]);
    return Buffer.from(this.tagOf(list, position) + position).toString('base64url');
  }

  /** @throws ApiError VALIDATION_ERROR at `query.cursor` for a cursor that this list did not issue (ruling 7). */
  read(list: string, cursor: string): Position {
    const text = Buffer.from(cursor.slice(0, LONGEST_CURSOR), 'base64url').toString();
    const begins = text.indexOf('[');
    const position = text.slice(begins);
    const known = sameTag(text.slice(0, begins), this.tagOf(list, position)) && Buffer.from(text).toString('base64url') === cursor;
    if (!known) throw queryError('cursor', 'must be a nextCursor of this list; start again without it');
    const [time, id, filters, name] = JSON.parse(position) as [number, string, string, string?];
    return { mark: { createdAt: new Date(time), id, ...(name === undefined ? {} : { name }) }, filters };
  }

  private tagOf(list: string, position: string): string {
    return tag([list, position].join('\n'), this.secret);
  }
}

/** The page a list is asked for. Both parameters at most once, `limit` 1 to 100 (specification "GET /orders"). */
export function readPage(query: URLSearchParams, cursors: Cursors, list: string): Page & Pick<Position, 'filters'> {
  const limit = limitOf(query);
  const cursor = once(query, 'cursor');
  if (cursor === null) return { limit, after: null, filters: '' };
  const { mark, filters } = cursors.read(list, cursor);
  return { limit, after: mark, filters };
}

/** How many rows a page has. @throws ApiError VALIDATION_ERROR at `query.limit` */
export function limitOf(query: URLSearchParams): number {
  const text = once(query, 'limit') ?? String(LIMITS.defaultPageSize);
  if (/^([1-9][0-9]?|100)$/.test(text)) return Number(text);
  throw queryError('limit', `must be a whole number from 1 to ${LIMITS.pageSize}`);
}

/** A query parameter that may be given once, or null. */
export function once(query: URLSearchParams, name: string): string | null {
  const values = query.getAll(name);
  if (values.length > 1) throw queryError(name, 'must be given once');
  return values[0] ?? null;
}

export function queryError(name: string, message: string) {
  return validationError([{ path: `query.${name}`, message }]);
}
