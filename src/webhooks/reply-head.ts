import { AttemptFailure } from './outcome';

/** How a body ends: after `bytes` bytes (0 without a body), after its last chunk, or with the connection. */
export type Framing = { kind: 'counted'; bytes: number } | { kind: 'chunked' } | { kind: 'until_close' };

export interface ReplyHead {
  status: number;
  framing: Framing;
  /** True if the connection may serve another request after this reply. */
  keepAlive: boolean;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const HEADER_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t\x20-\x7e\x80-\xff]*)$/;

/**
 * Parses a status line and headers, without the final empty line (RFC 9112). Strict: ambiguous input is rejected.
 * @throws AttemptFailure `protocol`
 */
export function parseHead(text: string): ReplyHead {
  const [statusLine = '', ...lines] = text.split('\r\n');
  const [, minor, statusText] = STATUS_LINE.exec(statusLine) ?? throwProtocolFailure();
  const status = Number(statusText);
  const headers = parseFramingHeaders(lines);
  const framing = framingOf(status, headers);
  return {
    status,
    framing,
    keepAlive:
      framing.kind !== 'until_close' && isKeptAlive(minor === '1', headers) && !hasInconsistentFraming(status, minor === '1', headers),
  };
}

/** The values of the headers that show where a reply ends and whether its connection can be reused. */
interface FramingHeaders {
  contentLengths: string[];
  transferCodings: string[];
  connectionOptions: string[];
}

function parseFramingHeaders(lines: readonly string[]): FramingHeaders {
  const headers: FramingHeaders = { contentLengths: [], transferCodings: [], connectionOptions: [] };
  for (const line of lines) {
    const [, name = '', value = ''] = HEADER_LINE.exec(line) ?? throwProtocolFailure();
    valuesOf(headers, name)?.push(value.trim().toLowerCase());
  }
  return headers;
}

function valuesOf(headers: FramingHeaders, name: string): string[] | undefined {
  switch (name.toLowerCase()) {
    case 'content-length':
      return headers.contentLengths;
    case 'transfer-encoding':
      return headers.transferCodings;
    case 'connection':
      return headers.connectionOptions;
    default:
      return undefined;
  }
}

/** Stricter than RFC 9112 section 6.3: rejects a repeated Content-Length, and a Content-Length with a Transfer-Encoding. */
function framingOf(status: number, { contentLengths: length, transferCodings: coding }: FramingHeaders): Framing {
  if (length.length > 1 || (length.length > 0 && coding.length > 0)) throwProtocolFailure();
  if (length[0] !== undefined && !/^\d+$/.test(length[0])) throwProtocolFailure();
  if (status < 200 || status === 204 || status === 304) return { kind: 'counted', bytes: 0 };
  if (coding.length > 0) return { kind: coding.join().split(',').at(-1)?.trim() === 'chunked' ? 'chunked' : 'until_close' };
  return length[0] === undefined ? { kind: 'until_close' } : { kind: 'counted', bytes: Number(length[0]) };
}

function isKeptAlive(isVersion11: boolean, { connectionOptions: connection }: FramingHeaders): boolean {
  const options = connection
    .join()
    .split(',')
    .map((option) => option.trim());
  return !options.includes('close') && (isVersion11 || options.includes('keep-alive'));
}

/** True for a body where none is allowed, chunks in HTTP/1.0, or an unsupported transfer coding. */
function hasInconsistentFraming(
  status: number,
  isVersion11: boolean,
  { contentLengths: length, transferCodings: coding }: FramingHeaders,
): boolean {
  if (coding.length > 0 && (!isVersion11 || coding.join() !== 'chunked')) return true;
  return (status === 204 || status === 304) && (coding.length > 0 || Number(length[0] ?? 0) > 0);
}

function throwProtocolFailure(): never {
  throw new AttemptFailure('protocol');
}
