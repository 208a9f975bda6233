import { randomInt } from 'node:crypto';
import { serviceSecret } from '../../src/db/repositories/secrets';
import { Cursors } from '../../src/http/cursor';
import { aKey } from '../../test/support/accounts';
import { testSecretBox } from '../../test/support/secrets';
import { call } from '../http';
import { callsOf, type Plan, type Work } from '../load';
import { comparisonRow, cpuNote, type Report } from '../report';
import { inTurn } from './in-turn';
import type { Year } from './year';

const GOAL = { throughput: 0.9 };
const PAGE = 25;
/** Reads allow 120 a minute, key and endpoint; a list's first page and the one far down share their keys. */
const READS_PER_KEY = 50;
/** So many different pages, one after the other. */
const DEEP_PAGES = 40;

interface Reads {
  one: Work;
  first: Work;
  deep: Work;
  studioFirst: Work;
  studioDeep: Work;
  studioOne: Work;
}

/** One order, a list's first page and one far down, of a year of orders against few. */
export async function reads(few: Year, many: Year, quick: boolean, report: Report): Promise<void> {
  // Many short slices: what else the machine does changes within seconds.
  const plan: Plan = { rounds: quick ? 8 : 12, perRound: 80, warmUp: 160, concurrency: 16, sliceMs: 1_200, settleMs: 100 };
  const depth = Math.min(10_000, Math.floor((many.orders * 0.25) / PAGE));
  const page = depth.toLocaleString('en');
  const [ofFew, ofMany] = [await readsOf(few, 1, plan), await readsOf(many, depth, plan)];
  const { cpu } = many.stage;
  const compare = async <N extends string>(works: Record<N, Work>): Promise<(what: string, ours: N, floor: N) => void> => {
    for (const { stage } of [few, many]) await stage.database.run('TRUNCATE rate_windows');
    const sides = await inTurn(plan, cpu, works);
    return (what, ours, floor) => {
      report.rows.push(comparisonRow(what, plan.concurrency, { ours: sides[ours], floor: sides[floor] }, GOAL));
      report.notes.push(cpuNote(what, sides[ours]), cpuNote('its floor', sides[floor]));
    };
  };
  const stored = (orders: number): string => orders.toLocaleString('en');
  const against = `${stored(many.orders)} stored (floor: ${stored(few.orders)})`;

  const one = await compare({ many: ofMany.one, few: ofFew.one });
  one(`GET /orders/{id}, any of ${against}`, 'many', 'few');
  const list = await compare({ many: ofMany.first, deep: ofMany.deep, few: ofFew.first });
  list(`GET /orders, page 1, account with ${stored(many.orders * 0.3)} of ${against}`, 'many', 'few');
  list(`GET /orders, page ${page} (floor: page 1 of the same account)`, 'deep', 'many');
  list(`GET /orders, page ${page} of ${stored(many.orders)} stored (floor: page 1 of ${stored(few.orders)})`, 'deep', 'few');
  const studio = await compare({ many: ofMany.studioFirst, deep: ofMany.studioDeep, few: ofFew.studioFirst });
  studio(`studio GET /orders, page 1, ${against}`, 'many', 'few');
  studio(`studio GET /orders, page ${page} (floor: page 1)`, 'deep', 'many');
  const studioOne = await compare({ many: ofMany.studioOne, few: ofFew.studioOne });
  studioOne(`studio GET /orders/{id}, any of ${against}`, 'many', 'few');
}

async function readsOf(year: Year, depth: number, plan: Plan): Promise<Reads> {
  const { stage, largest, others } = year;
  const keys = [largest.key];
  while (keys.length * READS_PER_KEY < callsOf(plan)) keys.push(await aKey(stage.database, largest.accountId));
  const keyOf = new Map(others.map(({ accountId, key }) => [accountId, key]));
  const orders = await anyOrders(year, callsOf(plan));
  const trade = async (index: number, path: string, key = keys[index % keys.length]): Promise<void> =>
    void (await call(stage, { method: 'GET', url: stage.tradeUrl, path, credential: key ?? '' }));
  const studio = async (path: string): Promise<void> =>
    void (await call(stage, { method: 'GET', url: stage.studioUrl, path, credential: stage.adminToken }));
  const any = (index: number) => orders[index % orders.length] ?? { id: '', accountId: '' };
  const pages = await cursors(year, depth, `orders/${largest.accountId}/test`, largest.accountId);
  const studioPages = await cursors(year, depth, 'studio/orders', null, JSON.stringify({ environment: 'test' }));
  return {
    one: (index) => trade(index, `/v1/orders/${any(index).id}`, keyOf.get(any(index).accountId)),
    first: (index) => trade(index, '/v1/orders'),
    deep: (index) => trade(index, `/v1/orders?cursor=${pages[index % pages.length]}`),
    studioFirst: () => studio('/studio/v1/orders?environment=test'),
    studioDeep: (index) => studio(`/studio/v1/orders?environment=test&cursor=${studioPages[index % studioPages.length]}`),
    studioOne: (index) => studio(`/studio/v1/orders/${any(index).id}`),
  };
}

async function anyOrders({ stage, orders }: Year, count: number): Promise<{ id: string; accountId: string }[]> {
  const numbers = Array.from({ length: count }, () => `T-${90_000_000 + randomInt(1, orders + 1)}`);
  return stage.database.rows(
    `SELECT o.id, o.account_id AS "accountId" FROM unnest($1::text[]) AS n(number) JOIN orders o ON o.order_number = n.number`,
    [numbers],
  ) as Promise<{ id: string; accountId: string }[]>;
}

/** What the list itself would issue on the page before, from the row that page ends with. */
async function cursors({ stage }: Year, depth: number, list: string, accountId: string | null, filters = ''): Promise<string[]> {
  const issuer = new Cursors(await serviceSecret(stage.database, testSecretBox, 'cursors'));
  const marks = await stage.database.rows<{ id: string; created_at: Date }>(
    `
    SELECT id, created_at FROM orders WHERE environment = 'test' AND ($1::text IS NULL OR account_id = $1)
     ORDER BY created_at DESC, id DESC OFFSET $2 LIMIT $3`,
    [accountId, Math.max(0, (depth - 1) * PAGE - 1), DEEP_PAGES * PAGE],
  );
  return marks
    .filter((_, index) => index % PAGE === 0)
    .map((mark) => issuer.issue(list, { mark: { createdAt: mark.created_at, id: mark.id }, filters }));
}
