import { findAccountOfKey } from '../../db/repositories/accounts';
import { currencyOf, findEffectiveVersion } from '../../db/repositories/price-book-reader';
import { SCOPES } from '../../domain/limits';
import { presentOwnAccount } from '../../presenters/accounts';
import * as json from '../openapi/json';
import { environmentSchema } from '../openapi/resources';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../types';

const ACCOUNT = json.resource<ReturnType<typeof presentOwnAccount>>('OwnAccount', {
  accountId: [json.id('acc', 'the account'), 'acc_0f3a'],
  name: [json.string('the name on invoices'), 'Dune Gallery'],
  environment: [environmentSchema, 'test'],
  scopes: [json.list(json.openEnum(SCOPES, 'a scope'), 'the permissions of the key'), [...SCOPES]],
  paymentTermsDays: [json.integer('the number of days from the invoice to its due date'), 30],
  tradeDiscountBps: [json.integer('the discount on the subtotal of every quote, in hundredths of a percent'), 1500],
  currency: [json.currency("the currency of the account's invoices; before the first invoice, the currency of the price book"), 'AUD'],
  creditLimitCents: [json.nullable(json.cents('null is no limit; with 0 the account must pay in advance')), 500_000],
  outstandingCents: [json.cents('the part of the invoices in this environment that is neither paid nor credited'), 84_250],
  creditCents: [json.cents('money beyond the invoices of this environment'), 0],
  availableCents: [
    json.nullable(json.cents('the amount left for orders: limit − outstanding + credit, at least 0; null without a limit')),
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
    summary: 'Retrieve the account',
    description:
      'The response shows the account and the key of the request, with its scopes, terms, discount and available credit. The amounts belong to the environment of the key. Test orders never use live credit.',
    response: ACCOUNT,
    handler: getAccount,
  },
];

async function getAccount({ deps, caller }: TradeRequest): Promise<HandlerResponse> {
  const { database, priceBooks, clock } = deps;
  const [account, version] = await database.snapshot((sql) =>
    Promise.all([findAccountOfKey(sql, caller.keyId), findEffectiveVersion(sql, clock.now())]),
  );
  if (account === null) throw new Error(`key ${caller.keyId} is gone`);
  return { data: presentOwnAccount(account, currencyOf(version === null ? null : await priceBooks.read(database, version))) };
}
