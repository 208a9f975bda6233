import { connect, type Socket } from 'node:net';
import { request } from 'undici';
import { anAccount } from '../../../support/accounts';
import { anIdempotencyKeyHeader, aLine, anOrder, aQuote, placeOrder, uploadArtwork } from '../../../support/baskets';
import type { HttpClient } from '../../../support/client';
import { aFiveChannelTiff, aLargeEmptyPng, aLargeInterlacedPng, aPicture } from '../../../support/pictures';
import { waitFor } from '../../../support/wait-for';
import { DOCUMENT_ATTACKS } from './document-attacks';
import { MIGRATION_ATTACK } from './migration-attack';
import { bearer, CHECKS_TIMES, statuses, type Attack, type World } from './world';

const PARCELS = 200;
let grownOrderId = '';
let oneByteUrl = '';

const growOrder = async (world: World): Promise<void> => {
  if (grownOrderId !== '') return;
  const order = await anOrder(world.trade());
  grownOrderId = order.orderId;
  for (let index = 0; index < PARCELS; index += 1) {
    const trackingNumber = `${' '.repeat(94)}T-${index}`;
    const parcel = { trackingNumber, trackingUrl: `https://example.com/${'x'.repeat(1800)}${index}`, carrier: 'C'.repeat(100) };
    const { status, text } = await world
      .trade(world.keys[index % world.keys.length])
      .post(`/test/orders/${grownOrderId}/advance`, { parcel });
    if (index === 0 || status !== 200) process.stdout.write(`parcel ${index}: ${status} ${text.slice(0, 300)}\n`);
    if (status !== 200) return; // the order accepts no more
  }
};

const LARGE_PICTURES = 25;
const MIN_INSPECTION_LIMIT_MS = 15_000;

/** Uploads a small picture for another account than the attacker's, and waits for its inspection. Returns the duration. */
async function measureInspectionMs(world: World): Promise<number> {
  const { testKey } = await anAccount(world.deps.database);
  const trade = world.trade(testKey);
  const startedAt = performance.now();
  const uploadId = await sendPicture(trade, await aPicture(1200, 900).jpeg().toBuffer());
  await waitFor(
    'the inspection of a small picture',
    () => world.deps.database.row('SELECT 1 FROM artwork_inspections WHERE upload_id = $1', [uploadId]),
    300_000,
  );
  return performance.now() - startedAt;
}

async function sendPicture(trade: HttpClient, bytes: Buffer): Promise<string> {
  const declared = await trade.post('/uploads', { filename: 'dunes.png', contentType: 'image/png', sizeBytes: bytes.length });
  const { uploadUrl, uploadId } = declared.json.data;
  const { statusCode, body } = await request(uploadUrl, { method: 'PUT', body: bytes, headers: { 'content-type': 'image/png' } });
  await body.dump();
  if (statusCode !== 200) throw new Error(`upload: ${statusCode}`);
  return uploadId;
}

let quietInspectionMs = 0;

const GOOD_PICTURES = 16;

/** Waits until all uploads are inspected, and counts them by state. */
async function countStates(world: World, uploadIds: readonly string[]): Promise<string> {
  const rows = await waitFor(
    `the inspections of ${uploadIds.length} uploads`,
    async () => {
      const inspected = await world.deps.database.column<string>('SELECT state FROM artwork_inspections WHERE upload_id = ANY ($1)', [
        uploadIds,
      ]);
      return inspected.length === uploadIds.length && inspected;
    },
    600_000,
  );
  return [...new Set(rows)].map((state) => `${rows.filter((other) => other === state).length} × ${state}`).join(', ');
}

/** Uploads these files for a new account. Returns the ids of the uploads. */
async function sendAll(world: World, files: readonly Buffer[]): Promise<string[]> {
  const { testKey } = await anAccount(world.deps.database);
  return Promise.all(files.map((bytes) => sendPicture(world.trade(testKey), bytes)));
}

/** Resolves after a reset too. */
const untilClosed = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.once('close', resolve));

export const ATTACKS: readonly Attack[] = [
  {
    name: `${LARGE_PICTURES} PNGs of 4 MB with 22,360 × 22,360 pixels of 16 bit`,
    async prepare(world) {
      quietInspectionMs = await measureInspectionMs(world);
    },
    async run(world) {
      const bytes = aLargeEmptyPng(22_360, 22_360);
      for (const key of world.keys.slice(0, LARGE_PICTURES / 5))
        await Promise.all(Array.from({ length: 5 }, () => sendPicture(world.trade(key), bytes)));
      const attackedMs = await measureInspectionMs(world);
      // Removed before the next attack.
      await world.deps.database.run('UPDATE uploads SET inspect_at = NULL WHERE account_id = $1', [world.attacker.accountId]);
      const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
      const answer = `another account's picture inspected in ${inSeconds(attackedMs)}, quiet ${inSeconds(quietInspectionMs)}`;
      if (CHECKS_TIMES && attackedMs > Math.max(5 * quietInspectionMs, MIN_INSPECTION_LIMIT_MS)) throw new Error(answer);
      return answer;
    },
  },
  {
    name: 'two accounts with six files each that crash the decoder or exceed its memory',
    async run(world) {
      const [crashing, large] = [aFiveChannelTiff(96, 64), aLargeInterlacedPng(9_000, 9_000)];
      const hostile = [crashing, large, crashing, large, crashing, large];
      const attacks = [...(await sendAll(world, hostile)), ...(await sendAll(world, hostile))];
      const good = await aPicture(1200, 900).jpeg().toBuffer();
      const states = await countStates(world, await sendAll(world, Array<Buffer>(GOOD_PICTURES).fill(good)));
      await countStates(world, attacks);
      const oversized = await countStates(
        world,
        attacks.filter((_, index) => index % 2 === 1),
      );
      return `good files: ${states}; too large: ${oversized}`;
    },
    expected: `good files: ${GOOD_PICTURES} × ok; too large: 6 × no_preview`,
  },
  {
    name: 'six slow readers of the events of a grown order',
    prepare: growOrder,
    async run(world) {
      const { hostname, port } = new URL(world.stack.tradeUrl);
      const sockets = world.keys.slice(0, 6).map((key) => {
        const socket = connect({ port: Number(port), host: hostname });
        socket.on('error', () => undefined);
        socket.write(`GET /v1/events?limit=100 HTTP/1.1\r\nHost: any\r\nAuthorization: Bearer ${key}\r\n\r\n`.repeat(5));
        return socket.pause();
      });
      const read = await statuses(
        world.keys.slice(6, 10).map((key) => ({ url: `${world.stack.tradeUrl}/events?limit=100`, options: { headers: bearer(key) } })),
      );
      sockets.forEach((socket) => socket.destroy());
      return read;
    },
  },
  {
    name: '100 PUTs of one byte to one upload URL',
    async prepare(world) {
      const declared = await world.trade().post('/uploads', { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes: 1 });
      oneByteUrl = declared.json.data.uploadUrl;
    },
    async run() {
      const put = { url: oneByteUrl, options: { method: 'PUT' as const, body: '0', headers: { 'content-type': 'image/jpeg' } } };
      return statuses(Array.from({ length: 100 }, () => put));
    },
  },
  {
    name: '2,000 pipelined requests with an unknown key',
    async run(world) {
      const { hostname, port } = new URL(world.stack.tradeUrl);
      const socket = connect({ port: Number(port), host: hostname });
      socket.on('error', () => undefined);
      let answered = 0;
      socket.on('data', (chunk: Buffer) => (answered += chunk.toString('latin1').split('HTTP/1.1 ').length - 1));
      const get = `GET /v1/orders HTTP/1.1\r\nHost: any\r\nAuthorization: Bearer lpk_test_${'0'.repeat(64)}\r\n`;
      socket.write(`${get}\r\n`.repeat(2000));
      await untilClosed(socket);
      return `${answered} answers`;
    },
  },
  {
    name: '30 connections that pipeline 3,000 requests without a key and close',
    async run(world) {
      const { hostname, port } = new URL(world.stack.tradeUrl);
      const bytes = 'GET /v1/orders HTTP/1.1\r\nHost: any\r\n\r\n'.repeat(3000);
      const sockets = Array.from({ length: 30 }, () => connect({ port: Number(port), host: hostname }).on('error', () => undefined));
      for (const socket of sockets) socket.end(bytes);
      await Promise.all(sockets.map((socket) => untilClosed(socket.resume())));
      return 'connections closed';
    },
  },
  {
    name: '60 pages of orders at the same time',
    async prepare(world) {
      const imageUrl = await uploadArtwork(world.trade());
      for (let index = 0; index < 100; index += 1) {
        const trade = world.trade(world.keys[index % world.keys.length]);
        const { quoteId } = await aQuote(trade, { items: Array.from({ length: 50 }, () => aLine(imageUrl)) });
        await placeOrder(trade, quoteId, anIdempotencyKeyHeader());
      }
    },
    async run(world) {
      const page = { url: `${world.stack.tradeUrl}/orders?limit=100`, options: { headers: bearer(world.attacker.testKey) } };
      return statuses(Array.from({ length: 60 }, () => page));
    },
  },
  ...DOCUMENT_ATTACKS,
  MIGRATION_ATTACK,
];
