import { readFileSync } from 'node:fs';
import { request as rawRequest } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { projectRoot } from '../../../scripts/start/project';
import { LIMITS } from '../../../src/domain/limits';
import { postmanCollection } from '../../../src/http/docs/postman';
import { tradeDocument } from '../../../src/http/openapi/trade';
import { studioDocument } from '../../../src/http/openapi/studio';
import { useSharedService } from '../../support/fixtures';

const HTML = 'text/html; charset=utf-8';
const PAGE_POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'";

const service = useSharedService({ worker: false });

describe.each([
  ['trade', () => tradeDocument(service.deps.config.publicBaseUrl), 'v1'],
  ['studio', () => studioDocument(), 'studio/v1'],
] as const)('the listener of the %s API', (api, document, endpoints) => {
  const root = (): string => `http://127.0.0.1:${service.api[`${api}Port`]}`;

  it('serves its document, and 304 for a matching ETag', async () => {
    const served = await fetchPage(`${root()}/openapi.json`);
    expect(served).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache', 'service-request-id': expect.any(String) },
    });
    expect(JSON.parse(served.text)).toEqual(JSON.parse(JSON.stringify(document())));
    const again = await fetchPage(`${root()}/openapi.json`, { 'if-none-match': String(served.headers.etag) });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('sends it compressed to clients that accept compression', async () => {
    const { body, headers } = await request(`${root()}/openapi.json`, { headers: { 'accept-encoding': 'gzip' } });
    const bytes = Buffer.from(await body.arrayBuffer());
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: expect.stringContaining('Accept-Encoding') });
    expect(JSON.parse(gunzipSync(bytes).toString('utf8'))).toEqual(JSON.parse(JSON.stringify(document())));
  });

  it('serves a Postman collection of its document with its own address', async () => {
    const { status, headers, text } = await fetchPage(`${root()}/postman.json`);
    const address = { trade: service.deps.config.publicBaseUrl, studio: `http://127.0.0.1:${service.deps.config.studioPort}/studio/v1` }[
      api
    ];
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(postmanCollection(document(), address))));
  });

  it('serves a search index of existing sections with their texts', async () => {
    const { text } = await fetchPage(`${root()}/docs/guides/search.json`);
    const sections = JSON.parse(text) as { id: string; title: string; heading: string; text: string }[];
    expect(sections.some(({ id }) => id.startsWith('studio/'))).toBe(api === 'studio');
    expect(new Set(sections.map(({ id }) => id)).size).toBe(sections.length);
    const found = sections.find(({ id }) => id === 'quoting#find-the-delivery-options');
    expect(found).toMatchObject({
      title: 'Quote a basket',
      heading: 'Find the delivery options',
      text: expect.stringContaining('shippingOptions'),
    });
    const pages = await crawlLinks(root(), ['/docs/guides']);
    const missed = sections.filter(({ id }) => {
      const [path, part = ''] = id.split('#');
      return !pages.get(`/docs/guides/${path}`)?.text.includes(` id="${part}"`);
    });
    expect(missed).toEqual([]);
  });

  it('serves the changelog', async () => {
    const { text } = await fetchPage(`${root()}/docs/guides/changelog`);
    expect(text).toContain('<h1 id="changelog">Changelog</h1>');
    expect(text).toContain('href="../../docs/guides/webhooks"');
  });

  it.each(['/docs', '/docs/guides', '/docs/guides/quoting'])('serves %s with a strict policy, also to HEAD', async (path) => {
    const headers = {
      'content-type': HTML,
      'content-security-policy': PAGE_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    };
    const page = await fetchPage(root() + path);
    expect(page).toMatchObject({ status: 200, headers });
    expect(page.text).not.toMatch(/<script(?! src=)|<style|\sstyle=|\son\w+=/);
    const head = await fetchPage(root() + path, {}, 'HEAD');
    expect(head).toMatchObject({ status: 200, headers: { ...headers, 'content-length': page.headers['content-length'] }, text: '' });
  });

  it('has its own addresses in the commands of the guides', async () => {
    const { text } = await fetchPage(`${root()}/docs/guides/quoting`);
    expect(text).toContain(`API=${service.deps.config.publicBaseUrl}\n`);
    expect(text).not.toContain('http://127.0.0.1:8080/v1');
  });

  it('links from the top of a guide to the list of guides, which is below it on a phone', async () => {
    const { text } = await fetchPage(`${root()}/docs/guides/quoting`);
    expect(text).toMatch(/<main>\n<p class="to-others"><a href="#all-guides">/);
    expect(text).toContain('<nav id="all-guides" aria-label="Guides">');
  });

  it('serves the files next to the guides unchanged', async () => {
    const { status, headers, text } = await fetchPage(`${root()}/docs/guides/webhook-vectors.json`);
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(text).toBe(readFileSync(join(projectRoot, 'docs/guides/webhook-vectors.json'), 'utf8'));
  });

  it('links only to pages that it serves, with relative addresses', async () => {
    const pages = await crawlLinks(root(), ['/docs', '/docs/guides']);
    const wrong = [...pages].filter(([, { status }]) => status !== 200).map(([path]) => path);
    expect(wrong).toEqual([]);
    expect([...pages.keys()].filter((path) => path.startsWith('/docs/assets/'))).toHaveLength(9);
    for (const [path, { text, headers }] of pages) {
      if (headers['content-type'] !== HTML) continue;
      expect([path, linksOf(text).filter((link) => link.startsWith('/'))]).toEqual([path, []]);
      const parts = linksOf(text)
        .map((link) => new URL(link, root() + path))
        .filter(({ origin, hash }) => origin === root() && hash !== '');
      const missed = parts.filter(
        ({ pathname, hash }) => !pages.get(pathname)?.text.includes(` id="${decodeURIComponent(hash.slice(1))}"`),
      );
      expect([path, missed.map(({ href }) => href)]).toEqual([path, []]);
    }
  });

  it('serves page files as immutable, named by their hash and with their content type', async () => {
    const files = [...(await crawlLinks(root(), ['/docs', '/docs/guides']))].filter(([path]) => path.startsWith('/docs/assets/'));
    const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' } as Record<string, string>;
    for (const [path, { headers }] of files) {
      expect(headers).toMatchObject({
        'content-type': types[path.split('.').at(-1) ?? ''],
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      expect((await fetchPage(root() + path.replace(/assets\/\w+/, 'assets/0123456789abcdef'))).status).toBe(404);
    }
  });

  it.each(['/docs/', '/docs/guides/'])('%s redirects to the address without a slash below any prefix', async (path) => {
    const { status, headers } = await fetchPage(root() + path);
    expect([status, new URL(String(headers.location), `http://proxy.test/shop${path}`).pathname]).toEqual([
      308,
      `/shop${path.slice(0, -1)}`,
    ]);
  });

  it.each([
    '/docs/nothing',
    '/docs/index.html',
    '/docs/guides/nothing',
    '/docs/guides/../../package.json',
    '/docs/guides/%2e%2e/%2e%2e/package.json',
    '/docs/guides/README.md',
    '/docs/assets/../../../package.json',
    '/docs/assets/..%2f..%2fpackage.json',
    '/docs/assets/%2e%2e/swagger-ui.css',
    '/docs/assets/swagger-ui.css',
    '/docs/assets/__proto__/constructor',
    '/docs/guides/__proto__',
    '/docs//',
    '/docs/%',
  ])('%s is 404 in the envelope', async (path) => {
    const refused = await fetchExactPath(root(), path);
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([404, { data: null, error: { code: 'NOT_FOUND' } }]);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'] as const)('%s is 405 in the envelope', async (method) => {
    for (const path of ['/openapi.json', '/docs', '/docs/guides']) {
      const refused = await fetchPage(root() + path, {}, method);
      expect([refused.status, refused.headers.allow, JSON.parse(refused.text)]).toMatchObject([
        405,
        'GET, HEAD',
        { data: null, error: { code: 'METHOD_NOT_ALLOWED' } },
      ]);
    }
  });

  it('counts none of these requests as failed authentication', async () => {
    for (let times = 0; times <= LIMITS.authenticationFailuresPerMinute; times += 1) await fetchPage(`${root()}/docs/nothing`);
    expect((await fetchPage(`${root()}/${endpoints}/orders`)).status).toBe(401);
  });
});

it('the guide for floor systems has the Temporal of the service in its commands', async () => {
  const { address, namespace } = service.deps.config.temporal;
  const page = await fetchPage(`http://127.0.0.1:${service.api.studioPort}/docs/guides/floor-systems`);
  const text = page.text.replace(/<[^<>]*>/g, '');
  expect(text).toContain(`export TEMPORAL_ADDRESS=${address} TEMPORAL_NAMESPACE=${namespace}\n`);
  expect(text).toContain(`STUDIO=http://127.0.0.1:${service.deps.config.studioPort}/studio/v1\n`);
});

it("only the studio listener serves the studio's guides", async () => {
  const [trade, studio] = [service.api.tradePort, service.api.studioPort].map((port) => `http://127.0.0.1:${port}/docs/guides`);
  const contents = await Promise.all([trade, studio].map((url) => fetchPage(String(url))));
  expect(contents.map(({ text }) => text.includes('href="guides/studio/'))).toEqual([false, true]);
  expect((await fetchPage(`${trade}/studio/how-do-i`)).status).toBe(404);
  expect((await fetchPage(`${studio}/studio/how-do-i`)).status).toBe(200);
});

interface PageResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

async function fetchPage(
  url: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' = 'GET',
): Promise<PageResponse> {
  const reply = await request(url, { method, headers });
  return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() };
}

/** Sends the path unchanged; clients would remove dots from it. */
function fetchExactPath(root: string, path: string): Promise<PageResponse> {
  return new Promise((resolve, reject) => {
    const sent = rawRequest(root, { path }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** All links of these pages on their listener, by path. */
async function crawlLinks(root: string, from: string[]): Promise<Map<string, PageResponse>> {
  const found = new Map<string, PageResponse>();
  const queue = [...from];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (found.has(path)) continue;
    const answered = await fetchPage(root + path);
    found.set(path, answered);
    if (answered.headers['content-type'] !== HTML) continue;
    for (const link of linksOf(answered.text)) {
      const url = new URL(link, root + path);
      if (url.origin === root) queue.push(url.pathname);
    }
  }
  return found;
}

const linksOf = (html: string): string[] => [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link);
