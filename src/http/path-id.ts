import { ApiError, notFoundError } from '../domain/errors';
import { isIdentifier, type IdPrefix } from '../domain/identifiers';
import { formatLine, describeMissingLine } from '../domain/line-quantities';

/** The names of resources in 404 messages. */
const RESOURCE_NAMES = {
  acc: 'account',
  bdg: 'badge',
  dlv: 'delivery',
  key: 'key on this account',
  ord: 'order',
  quo: 'quote',
  ses: 'session of yours',
  run: 'statement run',
  snd: 'mail',
  tok: 'token',
  upl: 'upload',
  whe: 'webhook endpoint',
} as const satisfies Partial<Record<IdPrefix, string>>;
export type PathPrefix = keyof typeof RESOURCE_NAMES;

type Params = Record<string, string>;

/** Callers of the trade API have an account, which 404 messages mention. */
interface PathRequest {
  params: Params;
  caller: object;
}

/** The id in the path, or null if it is malformed. */
export function readIdentifier(params: Params, prefix: PathPrefix, name = 'id'): string | null {
  const id = params[name] ?? '';
  return isIdentifier(prefix, id) ? id : null;
}

/** The id in the path. @throws ApiError NOT_FOUND for a malformed one */
export function pathId(request: PathRequest, prefix: PathPrefix, name = 'id'): string {
  return requireFound(request, prefix, readIdentifier(request.params, prefix, name));
}

/** The line in the path, from 0. @throws ApiError NOT_FOUND if the order has no such line */
export function pathLine(text: string | undefined, lines: number): number {
  const line = /^(0|[1-9]\d{0,3})$/.test(text ?? '') ? Number(text) : null;
  if (line === null) throw new ApiError('NOT_FOUND', `there is no such line; the first line of an order is ${formatLine(0)}`);
  if (line >= lines) throw new ApiError('NOT_FOUND', describeMissingLine(line, lines));
  return line;
}

/** Returns the row. @throws ApiError NOT_FOUND without one */
export function requireFound<T>(request: PathRequest, prefix: PathPrefix, row: T | null | undefined): T {
  if (row === null || row === undefined) throw missingResourceError(request, prefix);
  return row;
}

function missingResourceError({ caller }: PathRequest, prefix: PathPrefix): ApiError {
  return notFoundError('accountId' in caller ? `${RESOURCE_NAMES[prefix]} on this account` : RESOURCE_NAMES[prefix]);
}
