import { ENDPOINTS } from '../../src/http/routes';
import { someBuyers } from '../fixtures';
import { counter } from '../load';
import type { Report } from '../report';
import type { Stage } from '../stage';
import { atOnce, send } from './send';

const ENDPOINT = 'GET /catalogue';
const AT_ONCE = 16;
const WINDOW_MS = 60_000;

/** One key asks both APIs in turn, three times as often as a minute allows; well within that minute. */
export async function budget(stage: Stage, apis: readonly string[], report: Report): Promise<void> {
  const allowed = ENDPOINTS.find(({ name }) => name === ENDPOINT)?.perMinute ?? 0;
  const [buyer] = await someBuyers(stage, 1);
  const statuses = apis.map(() => new Map<number, number>());
  const next = counter();
  const startedAt = performance.now();
  await atOnce(AT_ONCE, allowed * 3, async () => {
    const api = next() % apis.length;
    const { status, retryAfter } = await send(stage, {
      method: 'GET',
      url: apis[api] ?? '',
      path: '/v1/catalogue',
      credential: buyer?.key ?? '',
    });
    if (status === 429 && !(Number(retryAfter) >= 1)) throw new Error('a 429 without Retry-After');
    statuses[api]?.set(status, (statuses[api]?.get(status) ?? 0) + 1);
  });
  const tookMs = performance.now() - startedAt;
  const admitted = statuses.map((counts) => counts.get(200) ?? 0);
  const [sum, refused] = [admitted.reduce((a, b) => a + b, 0), statuses.reduce((all, counts) => all + (counts.get(429) ?? 0), 0)];
  report.rows.push({
    what: `${ENDPOINT} admitted by two APIs to one key asking ${allowed * 3} times within a minute`,
    concurrency: AT_ONCE,
    ours: String(sum),
    goal: `exactly ${allowed}`,
    met: sum === allowed && sum + refused === allowed * 3 && tookMs < WINDOW_MS,
  });
  report.notes.push(
    `one key at two APIs: admitted ${admitted.join(' + ')}, refused ${refused} with 429 and Retry-After, in ${(tookMs / 1000).toFixed(1)} s`,
  );
}
