import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { request } from 'undici';
import { aKey } from '../../support/accounts';
import { aLine } from '../../support/baskets';
import { runInProcess, type CommandOutput } from '../../support/command-line';
import { builtFile } from '../../support/infrastructure';
import { TEST_SECRETS_KEY } from '../../support/secrets';
import { useService } from '../../support/started';
import { waitFor } from '../../support/wait-for';

import { aToken, OrderFactory, sendMilestone } from '../http/studio/support';

type Meddler = (response: { target: string; bytes: Buffer }) => Buffer | 'break' | 'hold';

/** Stands between the command line and the service, counts the files that it passes on, and meddles with responses. */
class Proxy {
  readonly passed: string[] = [];
  meddle: Meddler = ({ bytes }) => bytes;
  private constructor(
    readonly server: Server,
    readonly url: string,
  ) {}

  static async start(target: string): Promise<Proxy> {
    const server = createServer((incoming, outgoing) => void proxy.pass(target, incoming, outgoing));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new Proxy(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return proxy;
  }

  private async pass(target: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { authorization = '' } = incoming.headers;
    const reply = await request(`${target}${incoming.url}`, { headers: { authorization } });
    const bytes = Buffer.from(await reply.body.arrayBuffer());
    const changed = this.meddle({ target: incoming.url ?? '', bytes });
    if (changed === 'hold') return;
    outgoing.writeHead(reply.statusCode, {
      'content-type': reply.headers['content-type'] as string,
      'content-length': changed === 'break' ? bytes.length : changed.length,
    });
    if (changed === 'break') return void outgoing.write(bytes.subarray(0, 5), () => outgoing.destroy());
    outgoing.end(changed);
    if (incoming.url?.endsWith('/artwork') === true) this.passed.push(incoming.url);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const isFile = (target: string): boolean => target.endsWith('/artwork');
const contentOf = (at: number): string => `artwork-${String(at).padStart(4, '0')}`.repeat(at + 1);
const namesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .toSorted();

describe('trade-print orders artwork', () => {
  const service = useService();
  let token: string;
  let proxy: Proxy;
  let folder: string;
  const contents = new Map<string, string>();

  beforeAll(async () => {
    token = await aToken(service, 'floor');
    const uploads: string[] = [];
    for (let at = 0; at < 50; at += 1) {
      const trade = service.trade(await aKey(service.deps.database, service.account.accountId, { environment: 'live' }));
      const body = contentOf(at);
      const { json } = await trade.post('/uploads', { filename: '../../etc/passwd', contentType: 'image/tiff', sizeBytes: body.length });
      await request(json.data.uploadUrl, { method: 'PUT', body, headers: { 'content-type': 'image/tiff' } });
      uploads.push(json.data.url);
    }
    for (let from = 0; from < uploads.length; from += 10) {
      const items = uploads.slice(from, from + 10).map((url) => aLine(url, { quantity: 2 }));
      const { orderId, orderNumber } = await new OrderFactory(service, 'live', { items }).place();
      await sendMilestone(service.studio(), orderId, 'production_started');
      items.forEach((_, at) => contents.set(`${orderNumber}_${at + 1}_300x400_cotton-rag-310_x2.tif`, contentOf(from + at)));
    }
  });
  beforeEach(async () => {
    proxy = await Proxy.start(`http://127.0.0.1:${service.api.studioPort}`);
    folder = mkdtempSync(path.join(tmpdir(), 'trade-print-artwork-'));
  });
  afterEach(async () => {
    await proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const environment = () => ({ STUDIO_URL: proxy.url, STUDIO_TOKEN: token });
  const run = (...args: string[]): Promise<CommandOutput> => runInProcess(['orders', 'artwork', '--out', folder, ...args], environment());
  const start = (): ChildProcess =>
    spawn(process.execPath, [builtFile('src', 'cli', 'index.js'), 'orders', 'artwork', '--status', 'in_production', '--out', folder], {
      env: { PATH: process.env.PATH, NODE_ENV: 'test', SECRETS_KEY: TEST_SECRETS_KEY, ...environment() },
    });
  const manifest = (): { name: string; state: string; verified: string; sha256: string }[] =>
    readFileSync(path.join(folder, '.trade-print', 'manifest.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  function expectAllFiles(): void {
    expect(namesIn(folder)).toEqual([...contents.keys()].toSorted());
    for (const [name, content] of contents) expect(readFileSync(path.join(folder, name), 'utf8')).toBe(content);
    expect(readdirSync(path.join(folder, '.trade-print'))).toEqual(['manifest.jsonl']);
  }

  it('fifty files arrive after an interruption in the middle of a file, verified, and none is fetched twice', async () => {
    proxy.meddle = ({ target, bytes }) => (isFile(target) && proxy.passed.length === 20 ? 'break' : bytes);
    const broken = await run('--status', 'in_production');
    expect([broken.code, broken.stderr]).toEqual([3, expect.stringContaining('cannot reach the studio API')]);
    expect(namesIn(folder)).toHaveLength(20);
    proxy.meddle = ({ bytes }) => bytes;
    const resumed = await run('--status', 'in_production');
    expect([resumed.code, resumed.stderr]).toEqual([0, '30 fetched, 20 fetched before, 0 not ready, 0 failed\n']);
    expectAllFiles();
    expect(proxy.passed).toHaveLength(50);
    expect(new Set(proxy.passed).size).toBe(50);
    const placed = manifest().filter(({ state }) => state === 'placed');
    expect(placed.map(({ name, verified, sha256 }) => [name, verified, sha256]).toSorted()).toEqual(
      [...contents].map(([name, content]) => [name, 'sha256', createHash('sha256').update(content).digest('hex')]).toSorted(),
    );
  });

  it('a killed program is continued, also while its lock remains', async () => {
    proxy.meddle = ({ target, bytes }) => (isFile(target) && proxy.passed.length === 7 ? 'hold' : bytes);
    const child = start();
    await waitFor('seven files', async () => namesIn(folder).length === 7);
    child.kill('SIGKILL');
    await once(child, 'close');
    proxy.meddle = ({ bytes }) => bytes;
    expect((await run()).code).toBe(0);
    expectAllFiles();
    expect(new Set(proxy.passed).size).toBe(proxy.passed.length);
  });

  it('an interrupted program leaves no partial file and ends with code 3', async () => {
    proxy.meddle = ({ target, bytes }) => (isFile(target) && proxy.passed.length === 3 ? 'hold' : bytes);
    const child = start();
    await waitFor('three files', async () => namesIn(folder).length === 3);
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([3, null]);
    expect([namesIn(folder).length, readdirSync(path.join(folder, '.trade-print'))]).toEqual([3, ['manifest.jsonl']]);
  });

  it('files that a print program has taken are not fetched again, except on request', async () => {
    await run();
    const [first = '', second = ''] = namesIn(folder);
    rmSync(path.join(folder, first));
    expect((await run()).stderr).toBe('0 fetched, 50 fetched before, 0 not ready, 0 failed\n');
    expect(namesIn(folder)).not.toContain(first);
    const orderNumber = first.split('_')[0] ?? '';
    expect((await run('--q', orderNumber, '--again')).stderr).toBe('10 fetched, 0 fetched before, 0 not ready, 0 failed\n');
    expect(namesIn(folder)).toEqual(expect.arrayContaining([first, second]));
  });

  it('a crash between the two rows of the manifest places the file once', async () => {
    await run();
    const [first = ''] = namesIn(folder);
    const own = path.join(folder, '.trade-print');
    const row = manifest().find(({ name, state }) => name === first && state === 'fetched') as unknown as { temp: string };
    const file = path.join(own, 'manifest.jsonl');
    writeFileSync(file, `${readFileSync(file, 'utf8')}${JSON.stringify(row)}\n{"torn`);
    renameSync(path.join(folder, first), path.join(own, row.temp));
    expect((await run()).stderr).toBe('0 fetched, 50 fetched before, 0 not ready, 0 failed\n');
    expectAllFiles();
    // The print program took the file before the crash.
    writeFileSync(file, `${readFileSync(file, 'utf8')}${JSON.stringify(row)}\n`);
    rmSync(path.join(folder, first));
    expect((await run()).stderr).toBe('0 fetched, 50 fetched before, 0 not ready, 0 failed\n');
    expect(namesIn(folder)).not.toContain(first);
  });

  it('a changed file is refused, and the others arrive', async () => {
    const [wrong = ''] = [...contents.keys()];
    const target = `/orders/${wrong.split('_')[0]}/lines/0/artwork`;
    proxy.meddle = ({ target: url, bytes }) => (url.endsWith(target) ? Buffer.from('x'.repeat(bytes.length)) : bytes);
    const { code, stderr } = await run();
    expect([code, stderr]).toEqual([
      1,
      `${wrong}: its checksum differs; run the command again\n49 fetched, 0 fetched before, 0 not ready, 1 failed\n`,
    ]);
    expect(namesIn(folder)).toEqual([...contents.keys()].filter((name) => name !== wrong).toSorted());
    proxy.meddle = ({ target: url, bytes }) => (url.endsWith(target) ? Buffer.concat([bytes, bytes]) : bytes);
    expect((await run()).stderr).toContain(`${wrong}: the service sent other than`);
  });

  it.each(['../evil.tif', '/etc/evil.tif', '.hidden.tif', 'C:\\evil.tif', 'P-1\n.tif', 'P-1.tif ', 'a'.repeat(300)])(
    'the name %j from a hostile service is refused',
    async (name) => {
      proxy.meddle = ({ target, bytes }) => {
        if (!target.includes('/orders/artwork')) return bytes;
        const reply = JSON.parse(bytes.toString()) as { data: { files: { name: string }[] }[] };
        for (const { files } of reply.data.slice(0, 1)) for (const file of files.slice(0, 1)) file.name = name;
        return Buffer.from(JSON.stringify({ ...reply, data: reply.data.slice(0, 1) }));
      };
      const { code, stderr } = await run();
      expect([code, stderr]).toEqual([0, expect.stringContaining('the service sent an unsafe name')]);
      expect(namesIn(folder)).toHaveLength(9);
    },
  );

  it('a file of others with the same name is kept', async () => {
    const [first = ''] = [...contents.keys()];
    writeFileSync(path.join(folder, first), 'from elsewhere');
    const { code, stderr } = await run();
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${first} exists already`)]);
    expect(readFileSync(path.join(folder, first), 'utf8')).toBe('from elsewhere');
  });

  it('a second program at the same time, and an unusable folder, are refused', async () => {
    await run();
    writeFileSync(path.join(folder, '.trade-print', 'lock'), JSON.stringify({ pid: 1, host: hostname() }));
    expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining('another trade-print uses this folder') });
    writeFileSync(path.join(folder, 'file'), '');
    expect(await run('--out', path.join(folder, 'file'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot use the folder'),
    });
  });

  it('rejected artwork waits, new artwork replaces it, and printed orders are left out', async () => {
    const trade = service.trade(await aKey(service.deps.database, service.account.accountId, { environment: 'live' }));
    const upload = async (body: string, contentType = 'image/jpeg'): Promise<string> => {
      const { json } = await trade.post('/uploads', { filename: 'a.jpg', contentType, sizeBytes: body.length });
      await request(json.data.uploadUrl, { method: 'PUT', body, headers: { 'content-type': contentType } });
      return json.data.url;
    };
    const reject = (milestoneId: string) =>
      sendMilestone(service.studio(), orderId, 'artwork_rejected', { milestoneId, line: 0, reason: 'cut off' });
    const { orderId, orderNumber } = await new OrderFactory(service, 'live', {
      items: [aLine(await upload('first')), aLine(await upload('other'))],
    }).place();
    const other = `${orderNumber}_2_300x400_cotton-rag-310_x1.jpg`;
    const name = `${orderNumber}_1_300x400_cotton-rag-310_x1.jpg`;
    await sendMilestone(service.studio(), orderId, 'production_started');
    expect((await run('--q', orderNumber)).stdout).toBe(`${name}\n${other}\n`);
    await reject('press-1');
    expect((await run('--q', orderNumber)).stderr).toBe(
      `${name}: rejected; waits for other artwork; removed ${name} from the folder\n0 fetched, 1 fetched before, 1 not ready, 0 failed\n`,
    );
    expect(namesIn(folder)).toEqual([other]);
    await service.studio().post(`/orders/${orderId}/milestones/press-1/correct`, { reason: 'another order' });
    expect((await run('--q', orderNumber)).stdout).toBe(`${name}\n`);
    await reject('press-2');
    writeFileSync(path.join(folder, name), 'changed by a person');
    expect((await run('--q', orderNumber)).stderr).toMatch(`${name}: rejected; waits for other artwork\n`);
    expect(namesIn(folder)).toEqual([name, other]);
    await trade.post(`/orders/${orderId}/lines/0/artwork`, { imageUrl: await upload('second') });
    expect((await run('--q', orderNumber)).stdout).toBe(`${name}\n`);
    expect(readFileSync(path.join(folder, name), 'utf8')).toBe('second');
    await reject('press-3');
    await trade.post(`/orders/${orderId}/lines/0/artwork`, { imageUrl: await upload('third', 'image/tiff') });
    expect((await run('--q', orderNumber)).stdout).toBe(`${name.replace('jpg', 'tif')}\n`);
    expect(namesIn(folder)).toEqual([name.replace('jpg', 'tif'), other]);
    await sendMilestone(service.studio(), orderId, 'printed', { lines: [0] });
    rmSync(folder, { recursive: true });
    expect((await run('--q', orderNumber)).stdout).toBe(`${other}\n`);
    await sendMilestone(service.studio(), orderId, 'printed');
    rmSync(folder, { recursive: true });
    expect((await run('--q', orderNumber)).stderr).toBe('0 fetched, 0 fetched before, 0 not ready, 0 failed\n');
  });
});
