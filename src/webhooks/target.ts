import { checkWebhookUrl } from '../security/public-address';

export interface Target {
  url: URL;
  /** From an allowed origin: any address, and plain HTTP, will do. */
  exempt: boolean;
  /** The request line and those headers that every POST to this URL has. */
  requestStart: string;
}

/** How many URLs are remembered. The verdict on a URL is the same as long as the process lives; it is its addresses that change. */
const MAX_REMEMBERED_URLS = 1_000;

/** What to make of a URL; null for one that is not sent to. */
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
  return verdict.ok ? { url: verdict.url, exempt: verdict.exempt, requestStart: requestStart(verdict.url) } : null;
}

/** `Accept-Encoding` keeps replies readable; `Connection` asks receivers of HTTP/1.0 as well to keep it open. */
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
