import type { OrderFacts } from '../../src/domain/order-status';

/** The facts of an order of one line that was just placed. */
export const placedFacts = (overrides: Partial<OrderFacts> = {}): OrderFacts => ({
  baseStatus: 'received',
  heldFrom: null,
  printed: false,
  printedLines: [],
  lineCount: 1,
  liveParcels: [],
  voidedParcels: [],
  payments: {},
  reversedPayments: [],
  totalCents: 1000,
  creditNotes: {},
  reversedCreditNotes: [],
  ...overrides,
});
