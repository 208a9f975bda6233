import type { Page, PageMark } from '../db/keyset';
import { validationError } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import { sameTag, tag } from '../security/fingerprint';

/** Opaque cursors, each good for one list; `list` names it with everything that filters it (account, environment, …). */
export class Cursors {
  constructor(private readonly secret: string) {}

  issue(list: string, mark: PageMark): string {
    const position = `${mark.createdAt.getTime()}.${mark.id}`;
    return Buffer.from(`${position}.${this.tagOf(list, position)}`).toString('base64url');
  }

  /** @throws ApiError VALIDATION_ERROR at `query.cursor` for a cursor that this list did not issue (ruling 7). */
  read(list: string, cursor: string): PageMark {
    const [time = '', id = '', given = ''] = Buffer.from(cursor.slice(0, 300), 'base64url').toString().split('.');
    const known =
      sameTag(given, this.tagOf(list, `${time}.${id}`)) && Buffer.from(`${time}.${id}.${given}`).toString('base64url') === cursor;
    if (!known) throw queryError('cursor', 'must be a nextCursor of this list; start again without it');
    return { createdAt: new Date(Number(time)), id };
  }

  private tagOf(list: string, position: string): string {
    return tag(`${list}\n${position}`, this.secret);
  }
}

/** The page a list is asked for. Both parameters at most once, `limit` 1 to 100 (specification "GET /orders"). */
export function readPage(query: URLSearchParams, cursors: Cursors, list: string): Page {
  const limit = readLimit(query);
  if (limit === null)
    throw queryError(
      'limit',
      query.getAll('limit').length > 1 ? 'must be given once' : `must be a whole number from 1 to ${LIMITS.pageSize}`,
    );
  const cursor = once(query, 'cursor');
  return { limit, after: cursor === null ? null : cursors.read(list, cursor) };
}

/** How many rows a page has, or null where `limit` is not a number we take. */
export function readLimit(query: URLSearchParams): number | null {
  const [text, more] = query.getAll('limit');
  if (text === undefined) return LIMITS.defaultPageSize;
  return more === undefined && /^([1-9][0-9]?|100)$/.test(text) ? Number(text) : null;
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
