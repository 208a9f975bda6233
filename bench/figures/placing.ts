import { randomUUID } from 'node:crypto';
import { BURSTS_PER_SIDE, type Figure, type FigureSides } from '../figure';
import { createKeysOfOneAccount, prepareOpenQuotes, createBuyers, type Buyer } from '../fixtures';
import { executeBareUpdate } from '../floor/update';
import { placeOnFloor, placeOrder } from '../http';
import { closedLoop } from '../load';
import type { Stage } from '../stage';

const ACCOUNTS = 64;

/** Measures `POST /orders`. The workflows start in the background. */
async function preparePlacing(stage: Stage, buyers: readonly Buyer[], clients: number, perBurst: number): Promise<FigureSides> {
  const perFloorBurst = clients === 1 ? perBurst : Math.ceil(perBurst / 2); // the floor is slower, so fewer calls suffice
  const nextQuote = await prepareOpenQuotes(stage, buyers, 2 * perBurst * BURSTS_PER_SIDE);
  return {
    ours: () => closedLoop(perBurst, clients, () => placeOrder(stage, nextQuote())),
    floor: () => closedLoop(perFloorBurst, clients, () => executeBareUpdate(stage.temporal, randomUUID())),
    rows: () => closedLoop(perBurst, clients, () => placeOnFloor(stage, nextQuote())),
  };
}

export const oneClient: Figure = {
  title: 'POST /orders, 1 client',
  unit: 'ms',
  rowsGoal: 1.5,
  prepare: async (stage, isSmoke) => preparePlacing(stage, await createBuyers(stage, isSmoke ? 2 : ACCOUNTS), 1, isSmoke ? 3 : 40),
};

export const sixteenClients: Figure = {
  title: `POST /orders, 16 clients, ${ACCOUNTS} accounts`,
  unit: '/s',
  rowsGoal: 1 / 1.5,
  burstGoal: 3,
  prepare: async (stage, isSmoke) => preparePlacing(stage, await createBuyers(stage, isSmoke ? 4 : ACCOUNTS), 16, isSmoke ? 16 : 160),
};

/** Uses sixteen keys, because a key is limited to thirty orders a minute. */
export const oneAccount: Figure = {
  title: 'POST /orders, 16 clients, one account',
  unit: '/s',
  rowsGoal: 1 / 1.7,
  prepare: async (stage, isSmoke) => preparePlacing(stage, await createKeysOfOneAccount(stage, 16), 16, isSmoke ? 16 : 160),
};
