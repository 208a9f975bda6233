import { randomUUID } from 'node:crypto';
import { ORDERS_PER_KEY, someBuyers, someQuotes, type Buyer } from '../fixtures';
import { bareUpdate } from '../floor/update';
import { countWork } from '../life/counts';
import { deliveredLives } from '../life/delivered';
import { wholeLife } from '../life/whole-life';
import { untilIdle } from '../idle';
import { callsOf, compare, perSecond, type Plan } from '../load';
import { comparisonRow, cpuNote, type Report } from '../report';
import type { RunningApi } from '../processes';
import type { Stage } from '../stage';

/** Orders a second; stated for the dev server in memory. */
const GOAL = 20;
/** Its start, six messages of the floor. */
const UPDATES = 7;

/** The whole life of an order by HTTP: how many a second, how long its history, how many billable actions. */
export async function life(stage: Stage, quick: boolean, report: Report): Promise<void> {
  const withoutStatus = await stage.processes.with({ ORDER_STATUS_ATTRIBUTE: 'false' }).startApi('api-without-status');
  try {
    await rates(stage, stage, '', quick, report);
    await rates(stage, withoutStatus, ', ORDER_STATUS_ATTRIBUTE=false', quick, report);
    await deliveredLives(stage, quick ? 1 : 2, quick ? 16 : 48, report);
    await countWork(stage, withoutStatus, quick ? 4 : 12, report);
  } finally {
    await withoutStatus.process.stop();
  }
}

async function rates(
  stage: Stage,
  api: Pick<RunningApi, 'tradeUrl' | 'studioUrl'>,
  how: string,
  quick: boolean,
  report: Report,
): Promise<void> {
  const plan: Plan = { rounds: quick ? 1 : 2, perRound: quick ? 32 : 64, concurrency: 16, sliceMs: 30_000, settle: () => untilIdle(stage) };
  const buyers = await someBuyers(stage, Math.max(plan.concurrency * 2, Math.ceil(callsOf(plan) / ORDERS_PER_KEY)));
  const quotes = await someQuotes(stage, buyers, callsOf(plan));
  const measured = await compare(
    plan,
    stage.cpu,
    async (index) => void (await wholeLife(stage, buyers[index % buyers.length] as Buyer, quotes[index] ?? '', api)),
    async () => {
      const id = randomUUID();
      for (let update = 0; update < UPDATES; update += 1) await bareUpdate(stage.temporal, id);
    },
  );
  const rate = perSecond(measured.ours);
  report.rows.push({
    ...comparisonRow(`whole life of an order, ${UPDATES} changes${how} (floor: as many bare updates)`, plan.concurrency, measured),
    ...(stage.server === 'dev' ? { goal: `≥ ${GOAL}/s`, met: rate >= GOAL } : {}),
  });
  report.notes.push(
    cpuNote(`whole lives${how}`, measured.ours),
    cpuNote('its floor', measured.floor),
    `resident memory after that, MiB: ${Object.entries(stage.cpu.residentMib())
      .map(([name, mib]) => `${name} ${mib}`)
      .join(', ')}`,
  );
}
