import type { Figure } from '../figure';
import { call } from '../http';
import { closedLoop, type Work } from '../load';
import { SOUGHT, storedOrders } from '../stored-orders';

/** By reference, recipient, e-mail address and a text of no order, another order each time. */
export const search: Figure = {
  what: 'studio GET /orders?q=… among 1,000,000 stored orders, 1 client',
  unit: 'ms',
  goal: { ours: 50 },
  async prepare(stage, isSmoke) {
    const { count } = await storedOrders(stage, isSmoke);
    const perBurst = isSmoke ? 4 : 60;
    const sought = (index: number): string => {
      const n = 1 + ((index * 7919) % count);
      return encodeURIComponent(SOUGHT[index % SOUGHT.length]?.(n) ?? '');
    };
    const ours: Work = (index) =>
      call(stage, {
        method: 'GET',
        url: stage.studioUrl,
        path: `/studio/v1/orders?environment=test&q=${sought(index)}`,
        credential: stage.adminToken(),
      });
    const floor: Work = (index) => call(stage, { method: 'GET', url: stage.floorUrl, path: `/search/${sought(index)}` });
    return { ours: () => closedLoop(perBurst, 1, ours), floor: () => closedLoop(perBurst, 1, floor) };
  },
};
