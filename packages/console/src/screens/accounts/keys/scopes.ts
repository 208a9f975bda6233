import type { Of } from '../../../api/types';

export type Scope = Of<'ApiKey'>['scopes'][number];

/** What each scope allows, in words. */
export const SCOPES: Readonly<Record<Scope, { short: string; says: string }>> = {
  'price:read': { short: 'prices', says: 'See the catalogue and ask for prices' },
  'orders:read': { short: 'see orders', says: 'See its orders, events and webhooks' },
  'orders:write': { short: 'order', says: 'Upload artwork, place and cancel orders, have webhooks sent again' },
};
export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];
