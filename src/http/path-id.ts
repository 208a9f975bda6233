import { ApiError, notFoundError } from '../domain/errors';
import { isIdentifier, type IdPrefix } from '../domain/identifiers';
import { formatLine, describeMissingLine } from '../domain/line-pieces';

/** What a 404 calls the things that paths name. */
const RESOURCE_NAMES = {
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
export type PathPrefix = keyof typeof RESOURCE_NAMES;

type Params = Record<string, string>;

/** Of either API: the trade API's callers have an account, and are told of what is on it only. */
interface PathRequest {
  params: Params;
  caller: object;
}

/** The identifier in the path, or null: one of another form can name nothing (ruling 8). */
export function readIdentifier(params: Params, prefix: PathPrefix, name = 'id'): string | null {
  const id = params[name] ?? '';
  return isIdentifier(prefix, id) ? id : null;
}

/** The identifier in the path. @throws ApiError NOT_FOUND for one of another form (ruling 8). */
export function pathId(request: PathRequest, prefix: PathPrefix, name = 'id'): string {
  return requireFound(request, prefix, readIdentifier(request.params, prefix, name));
}

/** The line in the path, from 0. @throws ApiError NOT_FOUND where the order has no such line */
export function pathLine(text: string | undefined, lines: number): number {
  const line = /^(0|[1-9]\d{0,3})$/.test(text ?? '') ? Number(text) : null;
  if (line === null) throw new ApiError('NOT_FOUND', `there is no such line; the first of an order is ${formatLine(0)}`);
  if (line >= lines) throw new ApiError('NOT_FOUND', describeMissingLine(line, lines));
  return line;
}

/** What was looked up by the identifier in the path. @throws ApiError NOT_FOUND where there is nothing. */
export function requireFound<T>(request: PathRequest, prefix: PathPrefix, row: T | null | undefined): T {
  if (row === null || row === undefined) throw missingResourceError(request, prefix);
  return row;
}

function missingResourceError({ caller }: PathRequest, prefix: PathPrefix): ApiError {
  return notFoundError('accountId' in caller ? `${RESOURCE_NAMES[prefix]} on this account` : RESOURCE_NAMES[prefix]);
}
