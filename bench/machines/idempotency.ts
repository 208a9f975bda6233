import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { someBuyers, someQuotes } from '../fixtures';
import type { Report } from '../report';
import type { Stage } from '../stage';
import { atOnce, send, type Answer } from './send';

const PAIRS_AT_ONCE = 8;
const ORDERS_PER_KEY = 8;
const PATIENCE_MS = 30_000;

/** The same key and body to both APIs at the same moment: one order, and both get its bytes, the slower one perhaps after a 409. */
export async function idempotency(stage: Stage, apis: readonly string[], pairs: number, report: Report): Promise<void> {
  const buyers = await someBuyers(stage, Math.ceil(pairs / ORDERS_PER_KEY));
  const quotes = await someQuotes(stage, buyers, pairs);
  const seen = { told: 0, replayed: 0, different: 0 };
  await atOnce(PAIRS_AT_ONCE, pairs, async (index) => {
    const [quoteId, credential] = [quotes[index] ?? '', buyers[index % buyers.length]?.key ?? ''];
    const headers = { 'idempotency-key': randomUUID() };
    const order = (url: string): Promise<Answer> =>
      send(stage, { method: 'POST', url, path: '/v1/orders', credential, body: { quoteId }, headers });
    const answers = await Promise.all(
      apis.map(async (url) => {
        const first = await order(url);
        if (first.status === 201) return first;
        seen.told += 1;
        return afterWait(first, () => order(url));
      }),
    );
    seen.replayed += answers.filter(({ replayed }) => replayed).length;
    if (new Set(answers.map(({ text }) => text)).size !== 1 || answers.filter(({ replayed }) => replayed).length !== apis.length - 1)
      seen.different += 1;
  });
  const [stored] = await stage.database.rows<{ orders: number; quotes: number }>(
    'SELECT count(*)::int AS orders, count(DISTINCT quote_id)::int AS quotes FROM orders WHERE quote_id = ANY($1)',
    [quotes],
  );
  const exact = stored?.orders === pairs && stored.quotes === pairs && seen.different === 0;
  report.rows.push({
    what: `orders from ${pairs} pairs of one Idempotency-Key sent to two APIs at once`,
    concurrency: PAIRS_AT_ONCE,
    ours: String(stored?.orders),
    goal: `exactly ${pairs}, same bytes`,
    met: exact,
  });
  report.notes.push(
    `pairs at two APIs: ${seen.told} first told 409 with Retry-After, ${seen.replayed} replayed, ${seen.different} pairs with other bytes`,
  );
}

/** @throws Error for any refusal but "still running, send it again shortly" */
async function afterWait(refusal: Answer, again: () => Promise<Answer>): Promise<Answer> {
  const until = performance.now() + PATIENCE_MS;
  let answer = refusal;
  while (answer.status !== 201) {
    if (answer.status !== 409 || answer.retryAfter === undefined || performance.now() > until)
      throw new Error(`${answer.status} ${answer.text}`);
    await delay(Number(answer.retryAfter) * 1000);
    answer = await again();
  }
  return answer;
}
