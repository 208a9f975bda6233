import { setTimeout as delay } from 'node:timers/promises';
import { anEndpoint } from '../../test/support/endpoints';
import { orderWorkflowId } from '../../workflows/messages';
import { liveThrough } from '../figures/life';
import { askForQuote, openQuotes, someBuyers, tradeOf, uploadOf, type Buyer } from '../fixtures';
import { number } from '../report';
import type { Stage } from '../stage';
import { actions, footprint, grown, type Counts } from './counters';

/** The server counts an action some time after its answer. */
const COUNTING_MS = 3_000;
const [COUNT, COUNT_OF_SMOKE] = [20, 2];

/** CPU time, Temporal actions, history events and bytes of a quote, a read and an order's life, for the arithmetic of a deployment. */
export async function cost(stage: Stage, isSmoke: boolean): Promise<string[]> {
  const count = isSmoke ? COUNT_OF_SMOKE : COUNT;
  const sweeper = stage.temporal.schedule.getHandle('sweeper');
  await sweeper.pause();
  try {
    const [silent, listening] = (await someBuyers(stage, 2)) as [Buyer, Buyer];
    await anEndpoint(stage.database, listening.accountId, `${stage.receiverUrl}/hooks`);
    return [
      ...(await costOfQuotes(stage, silent, count)),
      ...(await costOfLives(stage, silent, count, 'life')),
      ...(await costOfLives(stage, listening, count, 'life with one endpoint')),
    ];
  } finally {
    await sweeper.unpause();
  }
}

async function costOfQuotes(stage: Stage, buyer: Buyer, count: number): Promise<string[]> {
  const imageUrl = await uploadOf(stage, buyer);
  const quotes = await counted(stage, 'quote of one line', count, () => askForQuote(stage, buyer, imageUrl));
  const trade = tradeOf(stage, buyer.key);
  const reads = await counted(stage, 'read of a quote', count, async (index) => trade.get(`/quotes/${quotes.results[index]}`));
  return [...quotes.lines, ...reads.lines];
}

async function costOfLives(stage: Stage, buyer: Buyer, count: number, what: string): Promise<string[]> {
  const next = await openQuotes(stage, [buyer], count);
  const lives = await counted(stage, what, count, () => liveThrough(stage, next()));
  const events = await Promise.all(lives.results.map((orderId) => historyLength(stage, orderId)));
  return [...lives.lines, `history events of a ${what}: ${Math.max(...events)}`];
}

/** Works one after the other, each count divided by their number. */
async function counted<T>(stage: Stage, what: string, count: number, work: (index: number) => Promise<T>) {
  const results: T[] = [];
  const rest = async (): Promise<void> => {
    await stage.rest();
    await delay(count > COUNT_OF_SMOKE ? COUNTING_MS : 0);
  };
  await stage.database.run('TRUNCATE rate_windows');
  await rest();
  const [cpu, done, stored] = [stage.cpu.read(), actions(await stage.metrics()), await footprint(stage)];
  for (let index = 0; index < count; index += 1) results.push(await work(index));
  await rest();
  const each = (after: Counts, before: Counts, unit = 1): string => {
    const counts = Object.entries(grown(after, before)).map(([name, value]) => [name, value / count / unit] as const);
    const total = counts.reduce((sum, [, value]) => sum + value, 0);
    return counts.length === 0 ? 'none' : `${number(total)} = ${counts.map(([name, value]) => `${name} ${number(value)}`).join(' + ')}`;
  };
  const lines = [
    `CPU ms of a ${what}: ${each(stage.cpu.read(), cpu)}`,
    `Temporal actions of a ${what}: ${each(actions(await stage.metrics()), done)}`,
    `KiB in PostgreSQL of a ${what}: ${each(await footprint(stage), stored, 1024)}`,
  ];
  return { results, lines };
}

async function historyLength({ temporal }: Stage, orderId: string): Promise<number> {
  return (await temporal.workflow.getHandle(orderWorkflowId(orderId)).describe()).historyLength;
}
