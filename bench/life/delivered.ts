import { randomUUID } from 'node:crypto';
import { anEndpoint } from '../../test/support/endpoints';
import { someBuyers, someQuotes, type Buyer } from '../fixtures';
import { bareUpdate } from '../floor/update';
import { addSlice, emptySide, perSecond, type Plan } from '../load';
import { atOnce } from '../machines/send';
import { cpuNote, number, percent, type Report } from '../report';
import type { Stage } from '../stage';
import { barePost, countArrivals, whenArrived } from '../webhooks/arrivals';
import { wholeLife } from './whole-life';

/** Its start and six messages; received, in production, on hold, in production again, shipped. */
const [UPDATES, EVENTS] = [7, 5];
const AT_ONCE = 16;

/** Orders a second from the first POST to the last event delivered, each account with one endpoint. */
export async function deliveredLives(stage: Stage, rounds: number, perRound: number, report: Report): Promise<void> {
  const buyers = await someBuyers(stage, AT_ONCE * 2);
  for (const { accountId } of buyers) await anEndpoint(stage.database, accountId, `${stage.receiverOrigin}/hooks`);
  const quotes = await someQuotes(stage, buyers, rounds * perRound);
  const arrive = async (work: () => Promise<void>): Promise<void> => {
    const before = await countArrivals(stage);
    await work();
    await whenArrived(stage, before, perRound * EVENTS);
  };
  const [ours, floor] = [emptySide(), emptySide()];
  const plan: Plan = { rounds, perRound: 1, concurrency: 1, settleMs: 1000 };
  for (let round = 0; round < rounds; round += 1) {
    await addSlice(ours, plan, stage.cpu, () =>
      arrive(() =>
        atOnce(AT_ONCE, perRound, async (index) => {
          const order = round * perRound + index;
          await wholeLife(stage, buyers[order % buyers.length] as Buyer, quotes[order] ?? '');
        }),
      ),
    );
    await addSlice(floor, plan, stage.cpu, () =>
      arrive(() =>
        atOnce(AT_ONCE, perRound, async () => {
          const id = randomUUID();
          for (let update = 0; update < UPDATES; update += 1) await bareUpdate(stage.temporal, id);
          for (let event = 0; event < EVENTS; event += 1) await barePost(stage, randomUUID());
        }),
      ),
    );
  }
  for (const side of [ours, floor]) side.done *= perRound;
  report.rows.push({
    what: `whole life of an order with one endpoint, to its last event delivered (floor: ${UPDATES} bare updates, ${EVENTS} posts)`,
    concurrency: AT_ONCE,
    ours: number(perSecond(ours)),
    floor: number(perSecond(floor)),
    ratio: percent(perSecond(ours) / perSecond(floor)),
  });
  report.notes.push(cpuNote('those lives with one endpoint', ours), cpuNote('its floor', floor));
}
