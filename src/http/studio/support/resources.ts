import { ENVIRONMENTS } from '../../../domain/limits';
import type { presentAccount } from '../../../presenters/accounts';
import * as json from '../../openapi/json';

export const ENVIRONMENT = json.closedEnum(ENVIRONMENTS);

export const CURRENCY = json.currency();

export const creditSchema = json.resource<ReturnType<typeof presentAccount>['live']>('Credit', {
  outstandingCents: json.cents('the unpaid part of invoices that are not void'),
  creditCents: json.cents('money beyond the invoices; the service never applies it automatically'),
  availableCents: json.nullable(json.cents('the amount left for orders: limit − outstanding + credit, at least 0; null without a limit')),
  usedBps: json.nullable(
    json.integer('outstanding − credit, in hundredths of a percent of the limit, rounded down, from 0 to 1,000,000; null without a limit'),
  ),
});

export const countsSchema = (names: readonly string[], rest: Readonly<Record<string, json.JsonSchema>> = {}) =>
  json.object<Record<string, number>>({ ...Object.fromEntries(names.map((name) => [name, json.integer()])), ...rest });
