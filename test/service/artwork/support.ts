import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspectUpload, type InspectionOutcome } from '../../../src/artwork/inspections';
import type { Clock } from '../../../src/platform/clock';
import { Inspector } from '../../../src/inspection/inspector';
import { sha256 } from '../../../src/security/fingerprint';
import { orderWorkflowId } from '../../../workflows/messages';
import { aLine, aQuote, declareArtwork, placeOrder } from '../../support/baskets';
import type { HttpClient } from '../../support/client';
import { decoderPath } from '../../support/infrastructure';
import type { TestService } from '../../support/service';
import { waitFor } from '../../support/wait-for';

export const BYTES = '0123456789';
export const OTHER_BYTES = 'abcdefghij';
export const checksumOf = (bytes: string): string => `sha256:${sha256(bytes)}`;

/** The service's clock runs this far ahead. */
export class OffsetClock implements Clock {
  aheadMs = 0;
  /** Set while no real time may count. */
  stoppedAtMs: number | null = null;
  now(): Date {
    return new Date((this.stoppedAtMs ?? Date.now()) + this.aheadMs);
  }
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const uploadIdOf = (key: string): string => /upl_[0-9a-f]+/.exec(key)?.[0] ?? '';

export interface FixedArtwork {
  order_id: string;
  upload_id: string;
  size_bytes: number | null;
  checksum: string | null;
  fixed_at: Date | null;
  next_check_at: Date | null;
}

/** The artwork that the order fixed, by upload. */
export function findFixedArtwork(service: TestService, orderId: string): Promise<FixedArtwork[]> {
  return service.deps.database.rows(
    'SELECT order_id, upload_id, size_bytes, checksum, fixed_at, next_check_at FROM order_artwork WHERE order_id = $1 ORDER BY upload_id',
    [orderId],
  );
}

/** Open attention in the studio API. */
export async function readAttention(service: TestService, orderId: string): Promise<string[]> {
  const reply = await service.studio().get(`/orders/${orderId}`);
  if (reply.json.data === null) throw new Error(reply.text);
  return reply.json.data.attention.map(({ code }: { code: string }) => code);
}

export function waitForAttention(service: TestService, orderId: string, codes: string[]): Promise<unknown> {
  return waitFor(`attention ${codes.join() || 'of nobody'}`, async () => (await readAttention(service, orderId)).join() === codes.join());
}

export async function createQuote(trade: HttpClient, url: string): Promise<string> {
  return (await aQuote(trade, { items: [aLine(url)] })).quoteId;
}

/** A placed order of the artwork with this url. */
export async function placeOrderOf(trade: HttpClient, url: string): Promise<string> {
  const reply = await placeOrder(trade, await createQuote(trade, url));
  if (reply.status !== 201) throw new Error(`order: ${reply.status} ${reply.text}`);
  return reply.json.data.orderId;
}

/** An order whose artwork was declared and never sent. */
export async function orderWithoutBytes(trade: HttpClient) {
  const target = await declareArtwork(trade);
  return { ...target, orderId: await placeOrderOf(trade, target.url) };
}

export async function startProduction(service: TestService, orderId: string): Promise<void> {
  const reply = await service
    .studio()
    .post(`/orders/${orderId}/milestones`, { milestoneId: `start-${orderId}`, type: 'production_started' });
  if (reply.status !== 200) throw new Error(`production: ${reply.status} ${reply.text}`);
}

/** Number of events of each kind in the history of the order's workflow. */
export async function countHistoryEvents(service: TestService, orderId: string): Promise<Record<string, number>> {
  const { events } = await service.deps.temporal.client.workflow.getHandle(orderWorkflowId(orderId)).fetchHistory();
  const counts: Record<string, number> = {};
  for (const event of events ?? []) {
    const kind = Object.keys(event).find((name) => name.endsWith('EventAttributes') && event[name as keyof typeof event]) ?? 'unknown';
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** An inspection of the upload's bytes. `afterReading` runs after they were read and before a result is stored. */
export async function inspectUploadedBytes(
  { deps }: TestService,
  uploadId: string,
  afterReading: () => Promise<unknown>,
): Promise<InspectionOutcome> {
  const dir = await mkdtemp(path.join(tmpdir(), 'trade-print-look-'));
  const inspector = await Inspector.open(dir, deps.logger, { program: decoderPath() });
  const pictures: Pick<Inspector, 'inspect'> = {
    async inspect(...parameters) {
      const inspection = await inspector.inspect(...parameters);
      await afterReading();
      return inspection;
    },
  };
  try {
    return await inspectUpload({ ...deps, inspector: pictures }, uploadId, new AbortController().signal);
  } finally {
    await inspector.close();
    await rm(dir, { recursive: true, force: true });
  }
}
