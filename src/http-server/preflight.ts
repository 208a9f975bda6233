import type { IncomingMessage } from 'node:http';

const MAX_AGE_SECONDS = '600';
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Response headers of a preflight, without the origin. Pages may send every header that they ask for, because tracing libraries add their own
 * to each request. `*` would not cover Authorization.
 */
export function preflightHeaders(request: IncomingMessage, methods: readonly string[]): Record<string, string> {
  const requested = String(request.headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => HEADER_NAME.test(name));
  return {
    'Access-Control-Allow-Methods': methods.join(', '),
    ...(requested.length === 0 ? {} : { 'Access-Control-Allow-Headers': requested.join(', ') }),
    'Access-Control-Max-Age': MAX_AGE_SECONDS,
    'Cache-Control': 'no-store',
  };
}
