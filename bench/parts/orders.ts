import { oneBuyer, ORDERS_PER_KEY } from '../fixtures';
import { callsOf, type Plan } from '../load';
import { bursts } from '../orders/burst';
import { steady } from '../orders/steady';
import type { Report } from '../report';
import type { Stage } from '../stage';

/** Reached only on a machine that is busy otherwise; it bounds the run. */
const SLICE_MS = 15_000;
const KEYS_OF_ONE = 8;

/** POST /orders, of real quotes, against a bare update-with-start with an empty handler. */
export async function orders(stage: Stage, quick: boolean, report: Report): Promise<void> {
  const plans: Plan[] = quick
    ? [
        { rounds: 1, perRound: 40, concurrency: 1 },
        { rounds: 1, perRound: 400, concurrency: 16 },
        { rounds: 1, perRound: 400, concurrency: 64 },
      ]
    : [
        { rounds: 3, perRound: 60, concurrency: 1 },
        { rounds: 2, perRound: 450, concurrency: 16 },
        { rounds: 2, perRound: 450, concurrency: 64 },
      ];
  for (const plan of plans) await bursts(stage, { warmUp: 64, sliceMs: SLICE_MS, ...plan }, 'POST /orders', report);
  await steady(stage, quick ? 24 : 80, report);
  if (stage.server !== 'dev') return;
  const single: Plan = { rounds: 1, perRound: KEYS_OF_ONE * ORDERS_PER_KEY - 16, concurrency: 16, sliceMs: SLICE_MS };
  await bursts(stage, single, 'POST /orders, all on one account', report, {
    buyers: await oneBuyer(stage, Math.ceil(callsOf(single) / ORDERS_PER_KEY)),
  });
}
