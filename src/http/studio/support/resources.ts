import { ENVIRONMENTS } from '../../../domain/limits';
import type { presentAccount } from '../../../presenters/accounts';
import * as json from '../../openapi/json';

export const ENVIRONMENT = json.closedEnum(ENVIRONMENTS);

export const CURRENCY = json.currency();

export const creditSchema = json.resource<ReturnType<typeof presentAccount>['live']>('Credit', {
  outstandingCents: json.cents('the unpaid part of invoices that are not void'),
  creditCents: json.cents('paid or credited beyond what is owed; never applied by itself'),
  availableCents: json.nullable(json.cents('what may still be ordered: limit − outstanding + credit, at least 0; null is without limit')),
  usedBps: json.nullable(
    json.integer(
      'outstanding − credit, in hundredths of a per cent of the limit, rounded down, from 0 to 1,000,000; null is without limit',
    ),
  ),
});

export const countsSchema = (names: readonly string[], rest: Readonly<Record<string, json.JsonSchema>> = {}) =>
  json.object<Record<string, number>>({ ...Object.fromEntries(names.map((name) => [name, json.integer()])), ...rest });
