import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { validationError } from '../domain/errors';
import { LIMITS } from '../domain/limits';

const MAX_DEPTH = 32;
/** A quote of 200 full lines has about 6,000 values; much larger bodies are refused early. */
const MAX_NODES = 20_000;

export interface BodyRules {
  /** In bytes; the default is 2 MiB. */
  maxBytes?: number | undefined;
  /** True if every field is optional: an absent body means `{}`, with any content type. */
  mayBeAbsent?: boolean;
}

export interface JsonBody {
  value: Record<string, unknown>;
  /** The exact text, for comparison. */
  text: string;
}

/**
 * The request's JSON object.
 * @throws ApiError VALIDATION_ERROR at path "": wrong content type, more than `maxBytes`, invalid UTF-8, invalid JSON, no object, too many
 * values, or too deep nesting
 */
export async function readJsonBody(
  request: IncomingMessage,
  { maxBytes = LIMITS.bodyBytes, mayBeAbsent = false }: BodyRules = {},
): Promise<JsonBody> {
  const bytes = mayBeAbsent ? await readBytes(request, maxBytes) : null;
  if (bytes?.length === 0) return { text: '{}', value: {} };
  if (!isJson(request.headers['content-type'] ?? '')) throw unreadableBodyError('the content type must be application/json, in UTF-8');
  if (![undefined, 'identity'].includes(request.headers['content-encoding']?.trim().toLowerCase()))
    throw unreadableBodyError('the body must not be compressed');
  const text = decodeUtf8(bytes ?? (await readBytes(request, maxBytes)));
  if (text.startsWith('\ufeff')) throw unreadableBodyError('the body begins with a byte order mark (EF BB BF); send UTF-8 without one');
  const parsed = parseJson(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw unreadableBodyError('the body must be a JSON object');
  assertWithinLimits(parsed);
  return { text, value: parsed as Record<string, unknown> };
}

/** Accepts all parameters of the content type, but a charset must be UTF-8. */
function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim());
  if (type.toLowerCase() !== 'application/json') return false;
  return parameters.every((parameter) => !/^charset\s*=/i.test(parameter) || /^charset\s*=\s*("?)utf-?8\1$/i.test(parameter));
}

function unreadableBodyError(message: string) {
  return validationError([{ path: '', message }]);
}

async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  try {
    return await getRawBody(request, { limit, length: request.headers['content-length'] ?? null });
  } catch (error) {
    request.resume(); // discards the rest, because the client must read the response
    const tooLarge = (error as { type?: string }).type === 'entity.too.large';
    throw unreadableBodyError(tooLarge ? `the body must have at most ${limit} bytes` : 'the body is incomplete; send it again');
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unreadableBodyError('the body must be valid JSON in UTF-8');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadableBodyError('the body must be valid JSON in UTF-8');
  }
}

/**
 * Refuses deeper nesting or more values than any valid body has. It uses no recursion, because deep nesting would overflow the stack.
 * Renames an own `__proto__` key, because code that copies objects would set a prototype with it.
 */
function assertWithinLimits(root: object): void {
  const pending: { node: object; depth: number }[] = [{ node: root, depth: 1 }];
  let nodes = 1;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.depth > MAX_DEPTH) throw unreadableBodyError(`the body must not be nested deeper than ${MAX_DEPTH} levels`);
    renameProtoKey(next.node as Record<string, unknown>);
    const children = Object.values(next.node) as unknown[];
    nodes += children.length;
    if (nodes > MAX_NODES) throw unreadableBodyError(`the body must not have more than ${MAX_NODES} values`);
    for (const child of children) {
      if (typeof child === 'object' && child !== null) pending.push({ node: child, depth: next.depth + 1 });
    }
  }
}

function renameProtoKey(node: Record<string, unknown>): void {
  if (!Object.hasOwn(node, '__proto__')) return;
  const value = Object.getOwnPropertyDescriptor(node, '__proto__')?.value as unknown;
  Reflect.deleteProperty(node, '__proto__');
  node['(__proto__)'] = value;
}
