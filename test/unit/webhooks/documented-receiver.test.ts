import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createWebhookSender } from '../../../src/webhooks/send';
import { aRequest, SECRET } from '../../service/webhooks/support/world';

/** Runs the unchanged receiver of docs/guides/webhooks.md in Node. */
let folder: string;
let receiver: ChildProcess;
let origin: string;
let lines: AsyncIterator<string>;

async function readNextLine(): Promise<string> {
  return String((await lines.next()).value);
}

beforeAll(async () => {
  const text = await readFile(join(__dirname, '../../../docs/guides/webhooks.md'), 'utf8');
  const program = /```js\n(.*?)```/s.exec(text)?.[1] ?? '';
  folder = await mkdtemp(join(tmpdir(), 'receiver-'));
  const file = join(folder, 'receiver.cjs');
  await writeFile(file, program);
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, WEBHOOK_SECRET: SECRET, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  receiver = child;
  lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  origin = `http://127.0.0.1:${/\d+$/.exec(await readNextLine())?.[0]}`;
});

afterAll(async () => {
  receiver.kill();
  await rm(folder, { recursive: true, force: true });
});

function sendEvent(input: { eventId: string; type?: string; secret?: string; nowMs?: number }) {
  const { eventId, type = 'order.received', secret = SECRET, nowMs = Date.now() } = input;
  const data = { orderNumber: 'P-1001', shipments: [{ trackingNumber: 'AP1' }, { trackingNumber: 'AP2' }] };
  const rawBody = JSON.stringify({ id: eventId, type, data });
  const sender = createWebhookSender({ allowedOrigins: [origin] });
  return sender.send(aRequest({ url: `${origin}/webhooks`, eventId, eventType: type, rawBody, secrets: [secret], nowMs }));
}

it('processes a genuine event once, also if it is repeated', async () => {
  expect(await sendEvent({ eventId: 'evt_1', type: 'order.shipped' })).toMatchObject({ ok: true, status: 204 });
  expect(await readNextLine()).toBe('P-1001 shipped: AP1, AP2');
  expect(await sendEvent({ eventId: 'evt_1', type: 'order.shipped' })).toMatchObject({ ok: true, status: 204 });
  expect(await sendEvent({ eventId: 'evt_2', type: 'order.from_the_future' })).toMatchObject({ ok: true, status: 204 });
  expect(await readNextLine()).toBe('order.from_the_future evt_2');
});

it.each([
  ['signed with another secret', { secret: `lpw_${'f'.repeat(64)}` }],
  ['signed six minutes ago', { nowMs: Date.now() - 360_000 }],
  ['signed for six minutes from now', { nowMs: Date.now() + 360_000 }],
])('refuses an event that was %s', async (_title, input) => {
  expect(await sendEvent({ eventId: 'evt_3', ...input })).toMatchObject({
    ok: false,
    status: 400,
    errorCode: 'bad_status',
    replyExcerpt: 'bad signature',
  });
});
