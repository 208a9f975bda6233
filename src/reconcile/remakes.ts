import { skipSequence, findLastRemakes, type LastRemake } from '../db/repositories/remakes';
import { remakeNumber } from '../domain/order-number';
import { chunks, type Finding, type ReconcileDeps } from './finding';
import type { IssuedNumbers } from './issued-numbers';

/** Finds orders with issued remake numbers that the database has lost. After the repair, the next remake skips them. */
export async function findRemakesBehind(deps: ReconcileDeps, issuedNumbers: IssuedNumbers['remakes']): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const chunk of chunks([...issuedNumbers.keys()])) {
    for (const original of await findLastRemakes(deps.database, chunk)) findings.push(...checkRemakes(deps, original, issuedNumbers));
  }
  return findings;
}

function checkRemakes(
  { database }: ReconcileDeps,
  { id, order_number, sequence }: LastRemake,
  issuedNumbers: IssuedNumbers['remakes'],
): Finding[] {
  const target = issuedNumbers.get(order_number) ?? 0;
  if (target <= sequence) return [];
  return [
    {
      kind: 'numbers behind',
      subject: id,
      detail: `the next remake would be ${remakeNumber(order_number, sequence + 1)}, but numbers up to ${remakeNumber(order_number, target)} were issued`,
      repair: () => skipSequence(database, id, target),
      isRepaired: async () => (await findLastRemakes(database, [order_number])).every((original) => original.sequence >= target),
    },
  ];
}
