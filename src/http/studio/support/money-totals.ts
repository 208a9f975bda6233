import type { MoneySum, MoneySums } from '../../../db/repositories/money-filter';
import type { Environment } from '../../../domain/limits';
import * as json from '../../openapi/json';
import { ENVIRONMENT } from './resources';

const SUM = { count: 2, amountCents: 9425 };

const presentSum = ({ count, cents }: MoneySum) => ({ count, amountCents: cents });

export const presentMoneyTotals = <Group extends string>(environment: Environment, sums: MoneySums<Group>) => ({
  environment,
  ...(Object.fromEntries(Object.entries<MoneySum>(sums).map(([group, sum]) => [group, presentSum(sum)])) as Record<
    keyof MoneySums<Group>,
    ReturnType<typeof presentSum>
  >),
});

/** The schema of a list's totals. Each group has a description. */
export function moneyTotals(name: string, groups: Readonly<Record<string, string>>): json.JsonSchema {
  const sums = Object.entries({ ...groups, reversed: 'the reversed entries' }).map(([group, description]) => [
    group,
    [
      json.object<typeof SUM>({ count: json.integer('the number of entries'), amountCents: json.cents('their sum') }, { description }),
      group === 'reversed' ? { count: 0, amountCents: 0 } : SUM,
    ],
  ]);
  return json.resource(name, { environment: [ENVIRONMENT, 'live'], ...Object.fromEntries(sums) });
}
