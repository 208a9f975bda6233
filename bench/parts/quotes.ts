import { priceQuote } from '../../src/domain/pricing';
import type { QuoteItem, QuoteRequest } from '../../src/domain/basket/quote-request';
import { SEED_CATALOGUE } from '../../src/db/seed/catalogue';
import { FIRST_PRICE_BOOK } from '../../src/db/seed/price-book';
import { aLine, anAddress, uploadArtwork } from '../../test/support/baskets';
import { oneBuyer, tradeOf } from '../fixtures';
import { call } from '../http';
import { untilIdle } from '../idle';
import { callsOf, compare, type Plan } from '../load';
import { comparisonRow, cpuNote, number, type Report } from '../report';
import type { Stage } from '../stage';

/** `POST /quotes` allows sixty a minute and key. */
const QUOTES_PER_KEY = 50;
const ENGINE_GOAL_MS = 5;

/** Pricing 1 and 200 lines: the engine alone, and over HTTP with everything a quote stores and starts. */
export async function quotes(stage: Stage, quick: boolean, report: Report): Promise<void> {
  for (const lines of [1, 200]) engine(lines, report);
  const plan: Plan = { rounds: quick ? 2 : 4, perRound: quick ? 40 : 100, concurrency: 8, warmUp: 16, settle: () => untilIdle(stage) };
  for (const lines of [1, 200]) await overHttp(stage, plan, lines, report);
}

function engine(lines: number, report: Report): void {
  const request = aRequest(lines, 'https://storage.test/artwork/1.tif');
  const price = (): unknown =>
    priceQuote({
      request,
      catalogue: SEED_CATALOGUE,
      book: FIRST_PRICE_BOOK,
      pricingVersion: 1,
      account: { tradeDiscountBps: 2000 },
      ownsArtwork: () => true,
      criticalRushEnabled: false,
      now: new Date('2026-06-01T00:00:00Z'),
    });
  const priced = price();
  const copy = (): unknown => JSON.parse(JSON.stringify(priced));
  const times = Math.ceil(4000 / lines);
  const [ours, floor] = [0, 0].map(() => [] as number[]) as [number[], number[]];
  cpuMsOf(price, times * 3);
  cpuMsOf(copy, times * 3);
  for (let round = 0; round < 10; round += 1) {
    ours.push(cpuMsOf(price, times));
    floor.push(cpuMsOf(copy, times));
  }
  const [mean, floorMean] = [ours, floor].map((all) => all.reduce((sum, ms) => sum + ms, 0) / all.length) as [number, number];
  report.rows.push({
    what: `pricing ${lines} line${lines === 1 ? '' : 's'}, engine alone (floor: its result through JSON once)`,
    ours: `${mean.toFixed(3)} CPU ms`,
    floor: `${floorMean.toFixed(3)} CPU ms`,
    ratio: `${number(mean / floorMean)}×`,
    ...(lines === 200 ? { goal: `< ${ENGINE_GOAL_MS} CPU ms`, met: mean < ENGINE_GOAL_MS } : {}),
  });
}

function cpuMsOf(work: () => unknown, times: number): number {
  const before = process.cpuUsage();
  for (let index = 0; index < times; index += 1) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

async function overHttp(stage: Stage, plan: Plan, lines: number, report: Report): Promise<void> {
  const keys = await oneBuyer(stage, Math.ceil(callsOf(plan) / QUOTES_PER_KEY));
  const body = JSON.stringify(aRequest(lines, await uploadArtwork(tradeOf(stage, keys[0]?.key ?? ''))));
  const measured = await compare(
    plan,
    stage.cpu,
    async (index) =>
      void (await call(stage, {
        method: 'POST',
        url: stage.tradeUrl,
        path: '/v1/quotes',
        credential: keys[index % keys.length]?.key ?? '',
        body,
      })),
    async () => void (await call(stage, { method: 'POST', url: stage.floorUrl, path: '/quotes', body })),
  );
  const what = `POST /quotes, ${lines} line${lines === 1 ? '' : 's'}`;
  report.rows.push(comparisonRow(`${what} (floor: one insert, one workflow start)`, plan.concurrency, measured));
  report.notes.push(cpuNote(what, measured.ours), cpuNote('its floor', measured.floor));
}

/** Prints and framed prints in turn, in sizes that differ. */
function aRequest(lines: number, imageUrl: string): QuoteRequest {
  const items = Array.from({ length: lines }, (_, index) => {
    const size = { artworkWidthMm: String(300 + (index % 20) * 10), artworkHeightMm: String(400 + (index % 7) * 10) };
    const print = aLine(imageUrl);
    if (index % 2 === 0) return { ...print, variantSelections: { ...print.variantSelections, ...size } };
    const frame = {
      mouldingId: 'moulding-oak-natural-20',
      glazingId: 'glazing-uv-acrylic-3',
      backingId: 'backing-foam-5',
      matColorId: 'mat-white',
      matSizeMm: '60',
    };
    return { ...print, productSlug: 'custom-framing', variantSelections: { ...print.variantSelections, ...size, ...frame } };
  }) as QuoteItem[];
  return { items, shippingMethodId: 'studio-collection', shippingAddress: anAddress() } as QuoteRequest;
}
