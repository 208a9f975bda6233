import { findAccountOfKey } from '../../db/repositories/accounts';
import { SCOPES } from '../../domain/limits';
import { presentOwnAccount } from '../../presenters/accounts';
import * as json from '../openapi/json';
import { environmentSchema } from '../openapi/resources';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../types';

const ACCOUNT = json.resource<ReturnType<typeof presentOwnAccount>>('OwnAccount', {
  accountId: [json.id('acc', 'the account'), 'acc_0f3a'],
  name: [json.string('who is billed'), 'Dune Gallery'],
  environment: [environmentSchema, 'test'],
  scopes: [json.list(json.openEnum(SCOPES, 'a scope'), 'what the key may do'), [...SCOPES]],
  paymentTermsDays: [json.integer('days from an invoice until it is due'), 30],
  tradeDiscountBps: [json.integer('hundredths of a per cent, taken off the subtotal of every quote'), 1500],
  currency: [json.currency("of the account's invoices; before the first one that of the studio's price book"), 'AUD'],
  creditLimitCents: [json.nullable(json.cents('null is no limit; with 0 the account orders only what it has paid in advance')), 500_000],
  outstandingCents: [json.cents('what is neither paid nor credited of the invoices of this environment'), 84_250],
  creditCents: [json.cents('what was paid or credited beyond the invoices of this environment'), 0],
  availableCents: [
    json.nullable(json.cents('what may still be ordered: limit − outstanding + credit, at least 0; null without a limit')),
    415_750,
  ],
});

export const ACCOUNT_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'GET',
    path: '/account',
    scope: 'orders:read',
    perMinute: 120,
    id: 'getAccount',
    summary: 'The account and key of the request: scopes, terms, discount, and what may still be ordered',
    description: 'The sums are those of the environment of the key. Test orders never use up live credit.',
    response: ACCOUNT,
    handler: getAccount,
  },
];

async function getAccount({ deps, caller }: TradeRequest): Promise<HandlerResponse> {
  const account = await findAccountOfKey(deps.database, caller.keyId);
  if (account === null) throw new Error(`key ${caller.keyId} is gone`);
  return { data: presentOwnAccount(account, await deps.pricingTerms.currency(deps.database, deps.clock.now())) };
}
