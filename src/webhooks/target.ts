import { checkWebhookUrl } from '../security/public-address';

export interface Target {
  url: URL;
  /** True for an allowed origin, which may use any address and plain HTTP. */
  isAllowedOrigin: boolean;
  /** The request line, and the headers that are the same in all POSTs to this URL. */
  requestStart: string;
}

/** How many URLs are cached. The check of a URL always has the same result; only the addresses of its host change. */
const MAX_REMEMBERED_URLS = 1_000;

/** Parses and checks a URL; returns null if it must not be used. */
export function createTargetReader(allowedOrigins: readonly string[]): (url: string) => Target | null {
  const targets = new Map<string, Target | null>();
  return (text) => {
    const existing = targets.get(text);
    if (existing !== undefined) return existing;
    if (targets.size >= MAX_REMEMBERED_URLS) targets.clear();
    const target = checkTarget(text, allowedOrigins);
    targets.set(text, target);
    return target;
  };
}

function checkTarget(text: string, allowedOrigins: readonly string[]): Target | null {
  const verdict = checkWebhookUrl(text, { allowedOrigins });
  return verdict.ok ? { url: verdict.url, isAllowedOrigin: verdict.isAllowedOrigin, requestStart: requestStart(verdict.url) } : null;
}

/** `Accept-Encoding: identity` asks for readable replies. HTTP/1.0 receivers keep the connection open only if `Connection` asks for it. */
function requestStart(url: URL): string {
  return [
    `POST ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    'Connection: keep-alive',
    'Content-Type: application/json',
    'User-Agent: Service-Print-API-Webhooks/1',
    'Accept-Encoding: identity\r\n',
  ].join('\r\n');
}
