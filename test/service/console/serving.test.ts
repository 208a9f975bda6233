import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../scripts/start/project';
import { SCREENS } from '../../../src/http/console/console';
import { useSharedService } from '../../support/fixtures';

describe('the console on the studio listener', () => {
  const service = useSharedService({ worker: false });
  let root: string;
  beforeAll(async () => {
    root = `http://127.0.0.1:${service.api.studioPort}`;
  });

  it.each(['/', '/board', '/orders/P-10001', '/accounts/acc_1?tab=keys', '/sign-in?to=%2Fboard'])(
    '%s is the page, with a unique nonce and without caching',
    async (at) => {
      const [one, two] = await Promise.all([fetch(root + at), fetch(root + at)]);
      expect([one.status, one.headers.get('content-type'), one.headers.get('cache-control')]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ]);
      const [first, second] = [nonceOf(one), nonceOf(two)];
      expect(first).not.toBe(second);
      const page = await one.text();
      expect(page).not.toContain('__NONCE__');
      expect(new Set([...page.matchAll(/nonce="([^"]*)"/g)].map(([, nonce]) => nonce))).toEqual(new Set([first]));
    },
  );

  it('browsers do not translate it, because React would go on writing to the texts that were replaced', async () => {
    expect(await (await fetch(root)).text()).toMatch(/<html\b[^>]* translate="no"/);
  });

  it('the policy allows only files of the console, and no framing', async () => {
    const answer = await fetch(root);
    const policy = answer.headers.get('content-security-policy')?.replaceAll(nonceOf(answer), 'N').split('; ').toSorted();
    expect(policy).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "font-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "script-src 'self' 'nonce-N'",
      "style-src 'self' 'nonce-N'",
    ]);
    const page = await answer.text();
    expect([...page.matchAll(/<script\b[^>]*>([^<]*)/g)].map(([, text]) => text)).toEqual(['']);
    expect(
      [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, at]) => at).filter((at) => !/^\/assets\/[\w-]+\.\w+$/.test(at ?? '')),
    ).toEqual([]);
  });

  it('each of its files has a hash in its name, is cached forever and is compressed above 1 KiB', async () => {
    const page = await (await fetch(root)).text();
    const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]*)"/g)].map(([, at]) => at ?? '');
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      const answer = await fetch(root + file);
      const { byteLength } = await answer.arrayBuffer();
      expect([file, answer.status, answer.headers.get('cache-control'), answer.headers.get('content-encoding')]).toEqual([
        expect.stringMatching(/-[\w-]{8}\.\w+$/),
        200,
        'public, max-age=31536000, immutable',
        byteLength > 1024 ? 'gzip' : null,
      ]);
    }
  });

  it.each(['/assets/index-00000000.js', '/assets/', '/assets/..%2findex.html', '/assets/../package.json%00'])(
    '%s is refused in the envelope',
    async (at) => {
      const answer = await fetch(root + at);
      expect([answer.status, await answer.json()]).toMatchObject([
        expect.any(Number),
        { data: null, error: { message: expect.any(String) } },
      ]);
      expect([401, 404]).toContain(answer.status);
    },
  );

  it('is read only, and passes unknown addresses to the API', async () => {
    const written = await fetch(`${root}/board`, { method: 'POST' });
    expect([written.status, written.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await fetch(`${root}/boardroom`)).status).toBe(401);
    expect((await fetch(`http://127.0.0.1:${service.api.tradePort}/board`)).status).toBe(401);
  });

  it('a browser that opens a document without a session gets the sign-in page, and a program gets the error', async () => {
    const document = `${root}/studio/v1/orders/P-10001/job-sheet.pdf?x=1`;
    const open = (headers: Record<string, string>) => fetch(document, { headers, redirect: 'manual' });
    const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const { status, headers } = await open(page);
    expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([
      303,
      `/sign-in?to=${encodeURIComponent('/studio/v1/orders/P-10001/job-sheet.pdf?x=1')}&ended=yes`,
      'no-store',
    ]);
    const cookie = { ...page, cookie: `studio_session=${'a'.repeat(43)}` };
    expect((await open(cookie)).status).toBe(303);
    expect((await open({ accept: '*/*' })).status).toBe(401);
    expect((await open({ ...page, authorization: 'Bearer lps_wrong' })).status).toBe(401);
    expect((await fetch(`${root}/studio/v1/orders.csv`, { headers: page, redirect: 'manual' })).status).toBe(401);
  });

  it('has an address for every screen of its router, and for nothing else', () => {
    const router = readFileSync(path.join(projectRoot, 'packages', 'console', 'src', 'router.tsx'), 'utf8');
    const paths = [...router.matchAll(/(?:screen\(\s*'|path: ')\/([\w-]*)/g)].map(([, first]) => first);
    // The sign-in page has no router.
    expect([...new Set([...paths, 'sign-in'])].toSorted()).toEqual([...SCREENS].toSorted());
  });
});

function nonceOf(answer: Response): string {
  const nonce = /'nonce-([\w+/=]+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1] ?? '';
  expect(Buffer.from(nonce, 'base64').length).toBeGreaterThanOrEqual(16);
  return nonce;
}
