import { useQuery } from '@tanstack/react-query';
import { page, studio } from '../../../api/studio';
import type { Environment } from '../../../api/types';
import type { Open } from './shares';

const PAGES = 10;
const PAGE_SIZE = 100;

/** An account's invoices of which something is to be paid, oldest first: the first thousand of each state. */
export function useOpenInvoices(accountId: string, environment: Environment, enabled: boolean) {
  return useQuery({
    queryKey: ['invoices', 'open', accountId, environment],
    queryFn: async () => {
      const found = await Promise.all((['open', 'part_paid'] as const).map((state) => all({ accountId, environment, state })));
      // A void one is open no more; one of nothing has nothing to pay.
      return found
        .flat()
        .filter(({ dueCents }) => dueCents > 0)
        .toSorted((a, b) => a.issuedAt.localeCompare(b.issuedAt));
    },
    enabled,
  });
}

interface Asked {
  accountId: string;
  environment: Environment;
  state: 'open' | 'part_paid';
}

async function all(asked: Asked, cursor?: string, pages = 1): Promise<Open[]> {
  const query = { ...asked, sort: 'oldest' as const, limit: PAGE_SIZE, cursor };
  const { rows, nextCursor } = await page(studio.GET('/invoices', { params: { query } }));
  return nextCursor === null || pages === PAGES ? rows : [...rows, ...(await all(asked, nextCursor, pages + 1))];
}
