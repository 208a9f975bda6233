import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { request } from 'undici';
import { aKey } from '../../support/accounts';
import { aLine } from '../../support/baskets';
import { runInProcess, type CommandOutput } from '../../support/command-line';
import { builtFile } from '../../support/infrastructure';
import { listen } from '../../support/listen';
import { TEST_SECRETS_KEY } from '../../support/secrets';
import { useService } from '../../support/fixtures';
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
    const proxy = new Proxy(server, `http://${await listen(server)}`);
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
    // A new one, because a token fetches 600 files a minute.
    token = await aToken(service, 'floor');
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
  const own = (...names: string[]): string => path.join(folder, '.trade-print', ...names);
  const manifest = (): { name: string; state: string; verified: string; sha256: string; temp: string }[] =>
    readFileSync(own('manifest.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const trade = async () => service.trade(await aKey(service.deps.database, service.account.accountId, { environment: 'live' }));
  async function upload(body: string, contentType = 'image/jpeg'): Promise<string> {
    const { json } = await (await trade()).post('/uploads', { filename: 'a.jpg', contentType, sizeBytes: body.length });
    await request(json.data.uploadUrl, { method: 'PUT', body, headers: { 'content-type': contentType } });
    return json.data.url;
  }
  async function advance(orderId: string, type: string, fields: Record<string, unknown> = {}): Promise<void> {
    expect(await sendMilestone(service.studio(), orderId, type, fields)).toMatchObject({ status: 200 });
  }
  async function replace(orderId: string, line: number, body: string, contentType?: string): Promise<void> {
    const imageUrl = await upload(body, contentType);
    expect(await (await trade()).post(`/orders/${orderId}/lines/${line}/artwork`, { imageUrl })).toMatchObject({ status: 200 });
  }
  /** An order in production with two lines. */
  async function placeOrder() {
    const items = [aLine(await upload('first')), aLine(await upload('other'))];
    const { orderId, orderNumber } = await new OrderFactory(service, 'live', { items }).place();
    await advance(orderId, 'production_started');
    const [name, other] = [1, 2].map((line) => `${orderNumber}_${line}_300x400_cotton-rag-310_x1.jpg`) as [string, string];
    return { orderId, orderNumber, name, other };
  }
  const reject = (orderId: string, milestone = {}) => advance(orderId, 'artwork_rejected', { line: 0, reason: 'cut off', ...milestone });
  function fetchedRow(name: string) {
    const row = manifest().findLast((each) => each.name === name && each.state === 'fetched');
    if (row === undefined) throw new Error(`${name} was not fetched`);
    return row;
  }
  /** The state after a crash between the manifest's row `fetched` and the rename. */
  function crashBeforeRename(name: string): void {
    const row = fetchedRow(name);
    appendFileSync(own('manifest.jsonl'), `${JSON.stringify(row)}\n`);
    renameSync(path.join(folder, name), own(row.temp));
  }

  function expectAllFiles(): void {
    expect(namesIn(folder)).toEqual([...contents.keys()].toSorted());
    for (const [name, content] of contents) expect(readFileSync(path.join(folder, name), 'utf8')).toBe(content);
    expect(readdirSync(own())).toEqual(['manifest.jsonl']);
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
    let isHeld = false;
    proxy.meddle = ({ target, bytes }) => {
      isHeld ||= isFile(target) && proxy.passed.length === 7;
      return isHeld ? 'hold' : bytes;
    };
    const child = start();
    await waitFor('seven files', async () => isHeld && namesIn(folder).length === 7);
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
    expect([namesIn(folder).length, readdirSync(own())]).toEqual([3, ['manifest.jsonl']]);
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
    const row = fetchedRow(first);
    const file = own('manifest.jsonl');
    crashBeforeRename(first);
    appendFileSync(file, '{"torn');
    expect((await run()).stderr).toBe('0 fetched, 50 fetched before, 0 not ready, 0 failed\n');
    expectAllFiles();
    // The print program took the file before the crash.
    appendFileSync(file, `${JSON.stringify(row)}\n`);
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
    writeFileSync(own('lock'), JSON.stringify({ pid: 1, host: hostname() }));
    expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining('another trade-print uses this folder') });
    writeFileSync(path.join(folder, 'file'), '');
    expect(await run('--out', path.join(folder, 'file'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot use the folder'),
    });
  });

  it('rejected artwork waits, new artwork replaces it, and printed orders are left out', async () => {
    const { orderId, orderNumber, name, other } = await placeOrder();
    expect((await run('--q', orderNumber)).stdout).toBe(`${name}\n${other}\n`);
    await reject(orderId, { milestoneId: 'press-1' });
    expect((await run('--q', orderNumber)).stderr).toBe(
      `${name}: rejected; waits for other artwork; removed ${name} from the folder\n0 fetched, 1 fetched before, 1 not ready, 0 failed\n`,
    );
    expect(namesIn(folder)).toEqual([other]);
    await service.studio().post(`/orders/${orderId}/milestones/press-1/correct`, { reason: 'another order' });
    expect((await run('--q', orderNumber)).stdout).toBe(`${name}\n`);
    await reject(orderId, { milestoneId: 'press-2' });
    writeFileSync(path.join(folder, name), 'changed by a person');
    expect((await run('--q', orderNumber)).stderr).toContain(
      `${name}: rejected; waits for other artwork; ${name} stays in the folder, because it is not the fetched file\n`,
    );
    expect(namesIn(folder)).toEqual([name, other]);
    rmSync(path.join(folder, name));
    await replace(orderId, 0, 'second');
    expect((await run('--q', orderNumber)).stdout).toBe(`${name}\n`);
    expect(readFileSync(path.join(folder, name), 'utf8')).toBe('second');
    await reject(orderId, { milestoneId: 'press-3' });
    await replace(orderId, 0, 'third', 'image/tiff');
    expect((await run('--q', orderNumber)).stdout).toBe(`${name.replace('jpg', 'tif')}\n`);
    expect(namesIn(folder)).toEqual([name.replace('jpg', 'tif'), other]);
    await advance(orderId, 'printed', { lines: [0] });
    rmSync(folder, { recursive: true });
    expect((await run('--q', orderNumber)).stdout).toBe(`${other}\n`);
    await advance(orderId, 'printed');
    rmSync(folder, { recursive: true });
    expect((await run('--q', orderNumber)).stderr).toBe('0 fetched, 0 fetched before, 0 not ready, 0 failed\n');
  });

  it('a file that cannot be placed is reported, the others arrive, and the next run places it', async () => {
    const { orderNumber, name, other } = await placeOrder();
    proxy.meddle = ({ target, bytes }) => (target.endsWith('/lines/1/artwork') ? Buffer.from('wrong') : bytes);
    await run('--q', orderNumber);
    proxy.meddle = ({ bytes }) => bytes;
    crashBeforeRename(name);
    mkdirSync(path.join(folder, name));
    expect(await run('--q', orderNumber)).toEqual({
      code: 1,
      stdout: `${other}\n`,
      stderr: `${name}: ${name} in the folder is not a file; move it to another folder\n1 fetched, 0 fetched before, 0 not ready, 1 failed\n`,
    });
    rmSync(path.join(folder, name), { recursive: true });
    expect((await run('--q', orderNumber)).stderr).toBe('0 fetched, 2 fetched before, 0 not ready, 0 failed\n');
    expect(readFileSync(path.join(folder, name), 'utf8')).toBe('first');
    expect(proxy.passed.filter((url) => url.endsWith('/lines/0/artwork'))).toHaveLength(1);
  });

  it('a file that cannot be removed is reported, the others are handled, and the next run removes it', async () => {
    const { orderId, orderNumber, name, other } = await placeOrder();
    await run('--q', orderNumber);
    const { temp } = fetchedRow(name);
    mkdirSync(own(temp));
    const rows = manifest().length;
    await reject(orderId);
    for (const others of [`${other}\n`, '']) {
      if (others !== '') await replace(orderId, 1, 'new');
      const { code, stdout, stderr } = await run('--q', orderNumber);
      expect([code, stdout, stderr]).toEqual([1, others, expect.stringContaining(`${name}: cannot remove ${name} in the folder: EISDIR`)]);
    }
    expect(
      manifest()
        .slice(rows)
        .map((row) => [row.name, row.state]),
    ).toEqual([
      [other, 'withdrawn'],
      [other, 'fetched'],
      [other, 'placed'],
    ]);
    rmSync(own(temp), { recursive: true });
    expect(await run('--q', orderNumber)).toMatchObject({ code: 0, stderr: expect.stringContaining(`removed ${name} from the folder`) });
    expect(namesIn(folder)).toEqual([other]);
  });

  it('a file that cannot be read is named and stays', async () => {
    const { orderId, orderNumber, name, other } = await placeOrder();
    await run('--q', orderNumber);
    rmSync(path.join(folder, name));
    mkdirSync(path.join(folder, name));
    await reject(orderId);
    expect(await run('--q', orderNumber)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${name} in the folder is not a file`),
    });
    expect(namesIn(folder)).toEqual([name, other]);
  });

  it('a foreign file is kept when artwork is fetched again, is replaced or waits for its name', async () => {
    const { orderId, orderNumber, name, other } = await placeOrder();
    await run('--q', orderNumber);
    const expectKept = async (...args: string[]): Promise<void> => {
      const { code, stderr } = await run('--q', orderNumber, ...args);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${name}: ${name} exists already and is not from this command`)]);
      expect(readFileSync(path.join(folder, name), 'utf8')).toBe('from elsewhere');
    };
    crashBeforeRename(name);
    writeFileSync(path.join(folder, name), 'from elsewhere');
    await expectKept();
    rmSync(path.join(folder, name));
    await run('--q', orderNumber);
    writeFileSync(path.join(folder, name), 'from elsewhere');
    await expectKept('--again');
    await replace(orderId, 0, 'second');
    await expectKept();
    rmSync(path.join(folder, name));
    expect((await run('--q', orderNumber)).stdout).toBe(`${name}\n`);
    expect([name, other].map((each) => readFileSync(path.join(folder, each), 'utf8'))).toEqual(['second', 'other']);
  });

  it('a partly shipped order is fetched by default', async () => {
    const { orderId, name, other } = await placeOrder();
    await run();
    await replace(orderId, 1, 'second');
    const parcel = { parcelId: orderId, trackingNumber: orderId, lines: [{ line: 0, quantity: 1 }] };
    expect(await service.studio().post(`/orders/${orderId}/parcels`, parcel)).toMatchObject({ status: 200 });
    expect((await run()).stdout).toBe(`${other}\n`);
    expect([name, other].map((each) => readFileSync(path.join(folder, each), 'utf8'))).toEqual(['first', 'second']);
    await advance(orderId, 'held');
    expect((await run()).stderr).toContain(`${other}: the order is on hold; removed ${other} from the folder`);
  });

  it('files of a held order are removed and fetched after the release, except those that the print program took', async () => {
    const { orderId, orderNumber, name, other } = await placeOrder();
    await run();
    rmSync(path.join(folder, name));
    await advance(orderId, 'held');
    expect(await run()).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining(`${other}: the order is on hold; removed ${other} from the folder\n`),
    });
    expect((await run()).stderr).not.toContain(orderNumber);
    expect((await run('--q', orderNumber, '--again')).stderr).toBe(
      `${name}: the order is on hold\n${other}: the order is on hold\n0 fetched, 0 fetched before, 2 not ready, 0 failed\n`,
    );
    await advance(orderId, 'released');
    expect((await run()).stdout).toBe(`${other}\n`);
    expect(namesIn(folder)).not.toContain(name);
  });

  it('files of rejected, cancelled and erased orders are removed although the filters exclude these orders', async () => {
    const [rejected, cancelled, erased] = [await placeOrder(), await placeOrder(), await placeOrder()];
    await run();
    await reject(rejected.orderId);
    await advance(rejected.orderId, 'held');
    await advance(cancelled.orderId, 'cancelled');
    await service.deps.database.run(
      `UPDATE quotes SET jobs = (SELECT jsonb_agg(job || '{"imageUrl": null}') FROM jsonb_array_elements(jobs) job)
        WHERE id = (SELECT quote_id FROM orders WHERE id = $1)`,
      [erased.orderId],
    );
    const { stderr } = await run('--status', 'received');
    expect(stderr).toContain(`${rejected.name}: rejected; waits for other artwork; removed ${rejected.name} from the folder\n`);
    expect(stderr).toContain(`${cancelled.name}: the order is cancelled; removed ${cancelled.name} from the folder\n`);
    expect(stderr).toContain(`${erased.name}: the order has no such artwork any more; removed ${erased.name} from the folder\n`);
    for (const { orderNumber } of [rejected, cancelled, erased])
      expect(namesIn(folder).filter((each) => each.startsWith(`${orderNumber}_`))).toEqual([]);
    expect(namesIn(folder)).toEqual(expect.arrayContaining([...contents.keys()]));
  });

  it('a file that waits for its name is dropped if its artwork was rejected or printed since', async () => {
    const { orderId, orderNumber, name, other } = await placeOrder();
    await run('--q', orderNumber);
    crashBeforeRename(name);
    crashBeforeRename(other);
    await reject(orderId);
    await advance(orderId, 'printed', { lines: [1] });
    // Another filter than that of the interrupted run.
    expect(await run('--status', 'received')).toMatchObject({ code: 0, stdout: '' });
    expect([namesIn(folder), readdirSync(own())]).toEqual([[], ['manifest.jsonl']]);
    await replace(orderId, 0, 'second');
    expect((await run('--q', orderNumber)).stdout).toBe(`${name}\n`);
  });

  it('the same file is fetched again after a rejection, although the print program took the first', async () => {
    const { orderId, orderNumber, name } = await placeOrder();
    await run();
    for (const isHeld of [false, true]) {
      rmSync(path.join(folder, name));
      await reject(orderId);
      if (isHeld) await advance(orderId, 'held');
      await run();
      await run();
      await replace(orderId, 0, 'first');
      if (isHeld) await advance(orderId, 'released');
      expect((await run()).stdout).toContain(`${name}\n`);
    }
    expect(manifest().filter((row) => row.name === name && row.state === 'withdrawn')).toHaveLength(2);
    await replace(orderId, 0, 'first');
    expect((await run('--q', orderNumber)).stdout).toBe('');
  });

  it('an abandoned lock is not taken over if a faster program has taken it over', async () => {
    mkdirSync(own());
    writeFileSync(own('lock'), JSON.stringify({ pid: process.pid, host: hostname() }));
    const lock = JSON.stringify({ pid: 1, host: 'elsewhere' });
    jest.spyOn(process, 'kill').mockImplementationOnce(() => {
      rmSync(own('lock'));
      writeFileSync(own('lock'), lock);
      throw Object.assign(new Error('no such process'), { code: 'ESRCH' });
    });
    expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining('another trade-print uses this folder') });
    expect([readFileSync(own('lock'), 'utf8'), readdirSync(own())]).toEqual([lock, ['lock']]);
  });

  it('a program that has lost its lock stops, and keeps the lock of the other', async () => {
    const { orderNumber, name } = await placeOrder();
    const lock = JSON.stringify({ pid: 1, host: 'elsewhere' });
    proxy.meddle = ({ target, bytes }) => {
      if (target.endsWith('/lines/1/artwork')) writeFileSync(own('lock'), lock);
      return bytes;
    };
    expect(await run('--q', orderNumber)).toEqual({
      code: 1,
      stdout: `${name}\n`,
      stderr: 'another trade-print has taken over the folder; run the command again\n',
    });
    expect([namesIn(folder), readFileSync(own('lock'), 'utf8')]).toEqual([[name], lock]);
  });
});
