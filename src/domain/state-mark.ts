import { canonicalJson } from './canonical-json';
import type { OrderFacts, OrderState } from './order-status';

/**
 * Identifies a state of an order: its version and a digest of its number and facts, such as `7:9f0c2b77d1e04a35`. A workflow keeps it in its
 * memo, so `reconcile` compares a run with its row without a query.
 */
export const stateMark = ({ orderNumber, version, facts }: OrderState): string => `${version}:${digest(orderNumber + factsText(facts))}`;

export const versionOfMark = (mark: string): number => Number.parseInt(mark, 10);

/** Equal for equal facts. The run and the database sort ids differently. */
export function factsText(facts: OrderFacts): string {
  const sorted = Object.entries(facts).map(([name, fact]) => [name, Array.isArray(fact) ? fact.toSorted() : fact]);
  return canonicalJson(Object.fromEntries(sorted));
}

/** FNV-1a with 64 bits. The workflow sandbox has no hash, and the digest only finds accidental differences. */
function digest(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index += 1) hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}
