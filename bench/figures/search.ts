import type { Figure } from '../figure';
import { call } from '../http';
import { closedLoop, type Work } from '../load';
import { SEARCH_TEXTS, ensureStoredOrders } from '../stored-orders';

/** Searches by reference, recipient, e-mail address and a text without matches, for a different order each time. */
export const search: Figure = {
  title: 'studio GET /orders?q=… among 1,000,000 stored orders, 1 client',
  unit: 'ms',
  async prepare(stage, isSmoke) {
    const { count } = await ensureStoredOrders(stage, isSmoke);
    const perBurst = isSmoke ? 4 : 60;
    const searchText = (index: number): string => {
      const n = 1 + ((index * 7919) % count);
      return encodeURIComponent(SEARCH_TEXTS[index % SEARCH_TEXTS.length]?.(n) ?? '');
    };
    const ours: Work = (index) =>
      call(stage, {
        method: 'GET',
        url: stage.studioUrl,
        path: `/studio/v1/orders?environment=test&q=${searchText(index)}`,
        credential: stage.nextAdminToken(),
      });
    const floor: Work = (index) => call(stage, { method: 'GET', url: stage.floorUrl, path: `/search/${searchText(index)}` });
    return { ours: () => closedLoop(perBurst, 1, ours), floor: () => closedLoop(perBurst, 1, floor) };
  },
};
