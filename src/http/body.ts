import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { validationError } from '../domain/errors';
import { LIMITS } from '../domain/limits';

const MAX_DEPTH = 32;

/**
 * The request's JSON object.
 * @throws ApiError VALIDATION_ERROR at path "" for a wrong content type, a body over 2 MiB, bytes that are not UTF-8, text
 * that is not JSON, or JSON that is not an object (ruling 6).
 */
export async function readJsonBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (!/^application\/json\s*(;\s*charset=("?)utf-?8\2\s*)?;?$/i.test(request.headers['content-type'] ?? '')) {
    throw unreadable('the content type must be application/json, in UTF-8');
  }
  if (![undefined, 'identity'].includes(request.headers['content-encoding'])) throw unreadable('the body must not be compressed');
  const parsed = parseJson(await readBytes(request));
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw unreadable('the body must be a JSON object');
  checkTree(parsed);
  return parsed as Record<string, unknown>;
}

function unreadable(message: string) {
  return validationError([{ path: '', message }]);
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  try {
    return await getRawBody(request, { limit: LIMITS.bodyBytes, length: request.headers['content-length'] ?? null });
  } catch (error) {
    request.resume(); // let the rest flow past, so that the client reads the answer
    const tooLarge = (error as { type?: string }).type === 'entity.too.large';
    throw unreadable(tooLarge ? `the body must have at most ${LIMITS.bodyBytes} bytes` : 'the body did not arrive whole');
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw unreadable('the body must be valid JSON in UTF-8');
  }
}

/**
 * Walks without recursion: refuses what is nested deeper than any body of ours, and moves an own `__proto__` key, which
 * no field has, out of the way of code that copies objects.
 */
function checkTree(root: object): void {
  const waiting: { node: object; depth: number }[] = [{ node: root, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.depth > MAX_DEPTH) throw unreadable(`the body must not be nested deeper than ${MAX_DEPTH} levels`);
    disarm(next.node as Record<string, unknown>);
    for (const child of Object.values(next.node) as unknown[]) {
      if (typeof child === 'object' && child !== null) waiting.push({ node: child, depth: next.depth + 1 });
    }
  }
}

function disarm(node: Record<string, unknown>): void {
  if (!Object.hasOwn(node, '__proto__')) return;
  const value = Object.getOwnPropertyDescriptor(node, '__proto__')?.value as unknown;
  Reflect.deleteProperty(node, '__proto__');
  node['(__proto__)'] = value;
}
