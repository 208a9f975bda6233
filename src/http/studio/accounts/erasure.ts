import { countErasableData, erase, type ErasureResult } from '../../../orders/erase';
import * as json from '../../openapi/json';
import { afterChange } from '../../overload';
import { type BodyOf, bodySchema, booleanField, optional } from '../../schemas/text';
import type { HandlerResponse } from '../../types';
import { audited } from '../support/audited';
import { dayOrTimestampField } from '../support/fields';
import type { StudioEndpointRow, StudioRequest } from '../support/types';
import { requireAccountId } from './accounts';

const erasureRequest = bodySchema({
  before: dayOrTimestampField().description(
    'the time before which orders were placed, quotes expired and notes were written; a day means its first moment in UTC',
  ),
  dryRun: optional(booleanField()).description('true to count the data without erasing it'),
});

const ERASURE = json.resource<ErasureResult & { dryRun: boolean }>(
  'Erasure',
  {
    dryRun: [json.boolean('true if the data was only counted'), true],
    orders: [json.integer('the number of orders'), 12],
    quotes: [json.integer('the number of expired quotes without an order'), 3],
    artwork: [json.integer('the number of uploads'), 14],
    mails: [json.integer('the number of mails with documents'), 5],
    notes: [json.integer('the number of notes on the account itself'), 2],
    complete: json.boolean('false if data remains: repeat the request to continue'),
  },
  { optional: ['complete'] },
);

export const ERASURE_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/accounts/:id/erase',
    role: 'admin',
    body: erasureRequest,
    id: 'erasePersonalData',
    summary: 'Erase personal data of an account',
    description:
      'Covers settled orders, quotes that expired without an order, mails with documents, and notes on the account, all from before the given time. Money, numbers and the audit log stay. A dry run only counts.',
    response: ERASURE,
    errorCodes: ['SERVICE_UNAVAILABLE'],
    requestExample: { before: '2025-01-01', dryRun: true },
    handler: eraseAccount,
  },
];

/** Writes the audit log before the erasure starts. */
async function eraseAccount(request: StudioRequest<BodyOf<typeof erasureRequest>>): Promise<HandlerResponse> {
  const { deps, body } = request;
  const accountId = await requireAccountId(request);
  const scope = { accountId, before: new Date(body.before), now: deps.clock.now() };
  const counts = await countErasableData(deps, scope);
  if (body.dryRun ?? false) return { data: { dryRun: true, ...counts } };
  if (counts.orders + counts.quotes + counts.artwork + counts.mails + counts.notes > 0) {
    const after = { before: scope.before.toISOString(), ...counts };
    await audited(request, (_sql, record) => record({ action: 'account.erase', subject: accountId, before: null, after }));
  }
  const erased = await afterChange(() => erase(deps, scope), 'a part of the data is perhaps erased; repeat the request to erase the rest');
  return { data: { dryRun: false, ...erased } };
}
