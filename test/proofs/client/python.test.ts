import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { TradePrint } from '@trade-print/client';
import { toolPath } from '../../../scripts/start/tools';
import { aBasket, aClient, aQuoteId, baseUrlOf } from '../../service/client/support';
import { anEndpoint } from '../../support/endpoints';
import { startFutureVersion } from '../../support/future-version';
import { startService, type TestService } from '../../support/service';
import { startReceiver, type WebhookReceiver } from '../../support/webhook-receiver';

const run = promisify(execFile);

/** A folder with the client that openapi-python-client generates from the served document, and a program that uses it. */
let folder: string;
let service: TestService;
let client: TradePrint;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin } });
  client = aClient(service);
  folder = await mkdtemp(path.join(tmpdir(), 'trade-print-python-'));
  const document = await fetch(new URL('/openapi.json', baseUrlOf(service)));
  await writeFile(path.join(folder, 'openapi.json'), await document.text());
  const hooks = 'post_hooks: []\n'; // no formatting, which would need another program
  await writeFile(path.join(folder, 'config.yml'), `${hooks}${await readGuideConfig()}`);
  const args = ['generate', '--path', 'openapi.json', '--meta', 'none', '--output-path', 'trade_print', '--config', 'config.yml'];
  await run(toolPath('pythonClient'), ['-m', 'openapi_python_client', ...args, '--fail-on-warning'], { cwd: folder });
  await copyFile(path.join(__dirname, 'shop.py'), path.join(folder, 'shop.py'));
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

/** The configuration from the guide. */
async function readGuideConfig(): Promise<string> {
  const guide = await readFile('docs/guides/other-languages.md', 'utf8');
  return /```yaml\n(.*?)```/s.exec(guide)?.[1] ?? '';
}

/** The output of a command of the program. */
async function runShop(command: string, args: string[] = [], url = baseUrlOf(service)): Promise<any> {
  const env = { PATH: process.env.PATH, TRADE_PRINT_KEY: service.account.testKey, TRADE_PRINT_URL: url };
  const { stdout } = await run(toolPath('pythonClient'), ['shop.py', command, ...args], { env, cwd: folder });
  return JSON.parse(stdout);
}

const placeOrder = () => runShop('order', [JSON.stringify(aBasket('ARTWORK'))]);

it('places one order per key, and reads an error with its details', async () => {
  const { quoteId, orderId, status, again } = await placeOrder();
  expect([status, again]).toEqual(['received', orderId]);
  expect(await client.orders.get(orderId)).toMatchObject({ orderId, quoteId, status: 'received' });
  expect(await runShop('order_again', [quoteId])).toEqual({
    status: 409,
    code: 'QUOTE_ALREADY_ORDERED',
    details: { orderId },
  });
});

describe('against a later version of the service', () => {
  let later: Awaited<ReturnType<typeof startFutureVersion>>;
  beforeAll(async () => {
    later = await startFutureVersion(baseUrlOf(service));
  });
  afterAll(() => later.close());

  it('reads a complete list with an unknown status', async () => {
    const [known, unknown] = [await placeOrder(), await placeOrder()];
    await client.test.advance(unknown.orderId, { to: 'in_production' });
    expect(await runShop('orders', [], later.url)).toEqual(
      expect.arrayContaining([
        [known.orderId, 'received'],
        [unknown.orderId, 'quality_check'],
      ]),
    );
  });

  it('reads an error whose code is unknown', async () => {
    const { quoteId, orderId } = await placeOrder();
    expect(await runShop('order_again', [quoteId], later.url)).toEqual({
      status: 409,
      code: 'QUOTE_USED_UP',
      details: { orderId },
    });
  });
});

it('catches up after an outage in which an older webhook failed and a newer one arrived', async () => {
  await anEndpoint(service.deps.database, service.account.accountId, receiver.url, 'test');
  const place = async () => (await client.orders.create({ quoteId: await aQuoteId(client) })).orderId;
  const [failing, working] = [await place(), await place()];
  await receiver.waitFor(2);
  const cursor: string = await runShop('latest');

  const brought = receiver.received.map(({ id }) => id);
  receiver.respondWith(({ id, body }, response) => {
    const isDown = body.data.orderId === failing;
    if (!isDown) brought.push(id);
    response.writeHead(isDown ? 500 : 204).end();
  });
  for (const [orderId, webhooks] of [
    [failing, 3],
    [working, 4],
  ] as const) {
    await client.test.advance(orderId, { to: 'in_production' });
    await receiver.waitFor(webhooks);
  }
  const newest = receiver.received.at(-1);
  expect(newest?.body.data.orderId).toBe(working);

  const { handled, last } = await runShop('catch_up', [cursor, JSON.stringify(brought)]);
  expect(handled).toEqual([['order.in_production', failing]]);
  expect(await runShop('catch_up', [last, JSON.stringify(brought)])).toEqual({ handled: [], last });
  // The id of the newest webhook is not a cursor, because the older event would be skipped.
  expect((await runShop('catch_up', [newest?.id ?? '', JSON.stringify(brought)])).handled).toEqual([]);
});
