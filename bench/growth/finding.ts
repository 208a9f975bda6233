import { call } from '../http';
import { percentile } from '../load';
import { number, pair, type Report } from '../report';
import type { Year } from './year';

/** What a search has to be answered within at a million orders, ms. */
const GOAL_MS = 50;
const ROUNDS = 15;

/** By what the studio lists and finds orders; `n` is the number of an order in the middle of the year. */
const PATHS: readonly [what: string, path: (n: number, account: string) => string][] = [
  ['q, a whole number', (n) => `orders?environment=test&q=T-${90_000_000 + n}`],
  ['q, the beginning of a number', () => 'orders?environment=test&q=T-9'],
  ['q, a recipient', (n) => `orders?environment=test&q=recipient&from=2000-01-01&limit=${1 + (n % 25)}`],
  ['q, a reference', (n) => `orders?environment=test&q=po-${n * 7}`],
  ['q, three rare letters', (n) => `orders?environment=test&q=${String(n * 7).slice(-3)}`],
  ['q, common to a third', () => 'orders?environment=test&q=common.example'],
  ['q, nothing found', () => 'orders?environment=test&q=nowhere-to-be-found'],
  ['q, nothing found, of trigrams that are common', () => 'orders?environment=test&q=example.com'],
  ['q and a status', (n) => `orders?environment=test&status=cancelled&q=po-${n}`],
  ['q and an account', (n, account) => `orders?environment=test&accountId=${account}&q=po-${n}`],
  ['a status', () => 'orders?environment=test&status=cancelled'],
  ['what is late, the soonest due first', () => 'orders?environment=test&late=true&sort=dueDate'],
  ['an account and some days', (_n, account) => `orders?environment=test&accountId=${account}&to=2030-01-01`],
  ['statistics of thirty days', () => 'stats?environment=test'],
  ['statistics of a year', () => `stats?environment=test&from=${daysAgo(365)}`],
];

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Each in turn of a year of orders and of few, one request at a time. */
export async function finding(few: Year, many: Year, report: Report): Promise<void> {
  for (const [what, path] of PATHS) {
    const [ours, floor]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [year, times] of [
        [many, ours],
        [few, floor],
      ] as const)
        times.push(await msOf(year, path, round));
    const [median, least] = [ours, floor].map((times) =>
      percentile(
        times.toSorted((a, b) => a - b),
        0.5,
      ),
    ) as [number, number];
    const isSearch = what.startsWith('q');
    report.rows.push({
      what: `studio ${what}, ${many.orders.toLocaleString('en')} stored (floor: ${few.orders.toLocaleString('en')})`,
      p50: pair(median, least),
      ...(isSearch ? { goal: `p50 ≤ ${number(GOAL_MS)} ms`, met: median <= GOAL_MS } : {}),
    });
  }
}

/** Another order each time, so that nothing is read twice. */
async function msOf({ stage, orders, others }: Year, path: (n: number, account: string) => string, round: number): Promise<number> {
  const n = Math.floor((orders * (round + 1)) / (ROUNDS + 1));
  const account = others[round % others.length]?.accountId ?? '';
  const startedAt = performance.now();
  await call(stage, { method: 'GET', url: stage.studioUrl, path: `/studio/v1/${path(n, account)}`, credential: stage.adminToken });
  return performance.now() - startedAt;
}
