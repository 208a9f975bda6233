import type { Environment } from './limits';

/** Each environment counts its own orders, and invoices: `P-10001` and `INV-10001`, `T-10001` and `TINV-10001` for test (ruling 8). */
export const ORDER_NUMBER_PREFIX = { live: 'P', test: 'T' } as const satisfies Record<Environment, string>;
export const INVOICE_NUMBER_PREFIX = { live: 'INV', test: 'TINV' } as const satisfies Record<Environment, string>;

const ORDER_NUMBER = new RegExp(`^(${ORDER_NUMBER_PREFIX.live}|${ORDER_NUMBER_PREFIX.test})-(\\d{1,15})(?!\\d)`);

/** The environment and the figures of an order's number; what follows the figures belongs to the same number. */
export function readOrderNumber(orderNumber: string): { environment: Environment; figures: number } | null {
  const [, prefix, figures] = ORDER_NUMBER.exec(orderNumber) ?? [];
  if (figures === undefined) return null;
  return { environment: prefix === ORDER_NUMBER_PREFIX.live ? 'live' : 'test', figures: Number(figures) };
}
