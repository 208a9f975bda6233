import { setTimeout as delay } from 'node:timers/promises';
import protobuf from '@temporalio/proto';
import { anEndpoint } from '../../test/support/endpoints';
import { aQuote } from '../../test/support/baskets';
import { orderWorkflowId, quoteWorkflowId } from '../../workflows/messages';
import { actionTotals, between, taskTotals } from '../actions';
import { someBuyers, tradeOf, type Buyer } from '../fixtures';
import { footprint, footprintNote } from '../footprint';
import { number, type Report } from '../report';
import type { RunningApi } from '../processes';
import type { Stage } from '../stage';
import { wholeLife } from './whole-life';

const GOALS = { events: 60, orderActions: 18, orderActionsWithoutStatus: 14, quoteActions: 2, deliveryActions: 0 };
type Urls = Pick<RunningApi, 'tradeUrl' | 'studioUrl'>;

/** Until what goes on behind the last answer (hold, visibility, deliveries) has ended. */
const QUIET_MS = 3000;

/** Counts over orders made of real quotes, with their holds; the sweeper rests meanwhile, so that nothing else is counted. */
export async function countWork(stage: Stage, withoutStatus: Urls, orders: number, report: Report): Promise<void> {
  const sweeper = stage.temporal.schedule.getHandle('sweeper');
  await sweeper.pause();
  try {
    const [buyer, listening] = (await someBuyers(stage, 2)) as [Buyer, Buyer];
    await anEndpoint(stage.database, listening.accountId, `${stage.receiverOrigin}/hooks`);
    const without = await countLives(stage, buyer, orders, stage);
    const withOne = await countLives(stage, listening, orders, stage);
    const plain = await countLives(stage, buyer, orders, withoutStatus);
    const perDelivery = (withOne.orderActions - without.orderActions) / Math.max(1, withOne.deliveries);
    report.rows.push(
      countRow('history events of an order', without.events, GOALS.events),
      { what: `history events of an order with one endpoint, ${number(withOne.deliveries)} deliveries`, ours: String(withOne.events) },
      countRow('Temporal actions of a quote (its start, its timer)', without.quoteActions, GOALS.quoteActions),
      countRow('Temporal actions of an order', without.orderActions, GOALS.orderActions),
      countRow('Temporal actions of an order, ORDER_STATUS_ATTRIBUTE=false', plain.orderActions, GOALS.orderActionsWithoutStatus),
      countRow('Temporal actions more per delivery that succeeds at once', perDelivery, GOALS.deliveryActions),
    );
    report.notes.push(
      `actions of an order by the server's own count: ${without.detail}`,
      `the same with one endpoint: ${withOne.detail}`,
      `events of an order: ${without.eventDetail}`,
      `tasks of the server for an order, by its own count: ${without.tasks}`,
      `the same with ORDER_STATUS_ATTRIBUTE=false: ${plain.tasks}`,
      `the same with one endpoint: ${withOne.tasks}`,
      without.taken('a whole life'),
      withOne.taken('a whole life with one endpoint'),
    );
  } finally {
    await sweeper.unpause();
  }
}

const countRow = (what: string, ours: number, atMost: number) => ({
  what,
  ours: String(Math.round(ours * 10) / 10),
  goal: `≤ ${atMost}`,
  met: ours <= atMost,
});

async function countLives(stage: Stage, buyer: Buyer, orders: number, api: Urls) {
  await delay(QUIET_MS);
  const atFirst = actionTotals(await stage.metrics());
  const quotes: string[] = [];
  for (let index = 0; index < orders; index += 1) quotes.push(((await aQuote(tradeOf(stage, buyer.key))) as { quoteId: string }).quoteId);
  await delay(QUIET_MS);
  const [quoted, tasksBefore] = await stage.metrics().then((text) => [actionTotals(text), taskTotals(text)] as const);
  const emptier = await footprint(stage);
  const ids: string[] = [];
  for (const quoteId of quotes) ids.push(await wholeLife(stage, buyer, quoteId, api));
  await delay(QUIET_MS);
  const [lived, tasks] = await stage
    .metrics()
    .then((text) => [between(quoted, actionTotals(text)), between(tasksBefore, taskTotals(text))] as const);
  const fuller = await footprint(stage);
  const histories = await Promise.all(ids.map((id) => eventsOf(stage, orderWorkflowId(id))));
  await Promise.all(quotes.map((id) => eventsOf(stage, quoteWorkflowId(id)))); // they exist: every quote had its hold
  const [{ deliveries } = { deliveries: 0 }] = await stage.database.rows<{ deliveries: number }>(
    'SELECT count(*) AS deliveries FROM webhook_deliveries WHERE order_id = ANY($1)',
    [ids],
  );
  return {
    events: Math.max(...histories.map((types) => types.length)),
    quoteActions: total(between(atFirst, quoted)) / orders,
    orderActions: total(lived) / orders,
    deliveries: deliveries / orders,
    detail: each(lived, orders),
    tasks: each(tasks, orders),
    eventDetail: tally(histories[0] ?? []),
    taken: (what: string): string => footprintNote(what, orders, emptier, fuller),
  };
}

const each = (counts: Record<string, number>, orders: number): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([type, count]) => `${type} ${number(count / orders)}`)
    .join(', ');
const total = (counts: Record<string, number>): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

async function eventsOf(stage: Stage, workflowId: string): Promise<string[]> {
  const { events } = await stage.temporal.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).map(({ eventType }) => protobuf.temporal.api.enums.v1.EventType[eventType ?? 0] ?? 'unknown');
}

function tally(types: string[]): string {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => `${type.replace('EVENT_TYPE_', '').toLowerCase()} ${count}`).join(', ');
}
