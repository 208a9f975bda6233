import { leaveOutSeries, remadeUpTo, type RemadeUpTo } from '../db/repositories/remakes';
import { remakeNumber } from '../domain/order-number';
import { chunks, type Finding, type ReconcileDeps } from './finding';
import type { GivenOut } from './given-out';

/** Orders with a remake whose number was given out and that is not stored: the next one goes beyond it (rulings 48 and 57). */
export async function remakesBehind(deps: ReconcileDeps, givenOut: GivenOut['remakes']): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const some of chunks([...givenOut.keys()])) {
    for (const original of await remadeUpTo(deps.database, some)) findings.push(...behind(deps, original, givenOut));
  }
  return findings;
}

function behind({ database }: ReconcileDeps, { id, order_number, series }: RemadeUpTo, givenOut: GivenOut['remakes']): Finding[] {
  const target = givenOut.get(order_number) ?? 0;
  if (target <= series) return [];
  return [
    {
      kind: 'numbers behind',
      subject: id,
      detail: `the next remake would be ${remakeNumber(order_number, series + 1)}, and numbers up to ${remakeNumber(order_number, target)} were given out`,
      mend: () => leaveOutSeries(database, id, target),
      isMended: async () => (await remadeUpTo(database, [order_number])).every((original) => original.series >= target),
    },
  ];
}
