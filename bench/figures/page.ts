import type { Figure } from '../figure';
import { call } from '../http';
import { closedLoop } from '../load';
import { ensureStoredOrders } from '../stored-orders';

export const page: Figure = {
  title: 'GET /orders?limit=100 of an account with 300,000 of 1,000,000 stored orders, 1 client',
  unit: 'ms',
  goal: 1.4,
  async prepare(stage, isSmoke) {
    const { largest } = await ensureStoredOrders(stage, isSmoke);
    const perBurst = isSmoke ? 3 : 100;
    const ours = { method: 'GET', url: stage.tradeUrl, path: '/v1/orders?limit=100', credential: largest.key } as const;
    const floor = { method: 'GET', url: stage.floorUrl, path: `/orders/${largest.accountId}` } as const;
    return {
      ours: () => closedLoop(perBurst, 1, () => call(stage, ours)),
      floor: () => closedLoop(perBurst, 1, () => call(stage, floor)),
    };
  },
};
