import { ApiError, noSuch } from '../domain/errors';
import { isIdentifier, type IdPrefix } from '../domain/identifiers';
import { lineInWords, noSuchLine } from '../domain/line-pieces';

/** What a 404 calls the things that paths name. */
const CALLED = {
  acc: 'account',
  dlv: 'delivery',
  key: 'key on this account',
  ord: 'order',
  quo: 'quote',
  ses: 'session of yours',
  tok: 'token',
  upl: 'upload',
  whe: 'webhook endpoint',
} as const satisfies Partial<Record<IdPrefix, string>>;
export type PathPrefix = keyof typeof CALLED;

type Params = Record<string, string>;

/** Of either API: the trade API's callers have an account, and are told of what is on it only. */
interface PathRequest {
  params: Params;
  caller: object;
}

/** The identifier in the path, or null: one of another form can name nothing (ruling 8). */
export function identifierIn(params: Params, prefix: PathPrefix, name = 'id'): string | null {
  const id = params[name] ?? '';
  return isIdentifier(prefix, id) ? id : null;
}

/** The identifier in the path. @throws ApiError NOT_FOUND for one of another form (ruling 8). */
export function pathId(request: PathRequest, prefix: PathPrefix, name = 'id'): string {
  return found(request, prefix, identifierIn(request.params, prefix, name));
}

/** The line in the path, from 0. @throws ApiError NOT_FOUND where the order has no such line */
export function pathLine(given: string | undefined, lines: number): number {
  const line = /^(0|[1-9]\d{0,3})$/.test(given ?? '') ? Number(given) : null;
  if (line === null) throw new ApiError('NOT_FOUND', `there is no such line; the first of an order is ${lineInWords(0)}`);
  if (line >= lines) throw new ApiError('NOT_FOUND', noSuchLine(line, lines));
  return line;
}

/** What was looked up by the identifier in the path. @throws ApiError NOT_FOUND where there is nothing. */
export function found<T>(request: PathRequest, prefix: PathPrefix, row: T | null | undefined): T {
  if (row === null || row === undefined) throw notFound(request, prefix);
  return row;
}

function notFound({ caller }: PathRequest, prefix: PathPrefix): ApiError {
  return noSuch('accountId' in caller ? `${CALLED[prefix]} on this account` : CALLED[prefix]);
}
