/** All ids, sorted by the number of letter pairs that they share with `wanted`. */
export function rankBySimilarity(wanted: string, ids: readonly string[]): string[] {
  const pairs = letterPairs(wanted.slice(0, 100));
  const scored = ids.map((id, order) => ({ id, order, score: overlap(pairs, letterPairs(id)) }));
  return scored.sort((a, b) => b.score - a.score || a.order - b.order).map(({ id }) => id);
}

/** The most similar word, or null. */
export function findNearestWord(wanted: string, words: readonly string[]): string | null {
  const [best] = rankBySimilarity(wanted, words);
  return best !== undefined && overlap(letterPairs(wanted.slice(0, 100)), letterPairs(best)) > 0.3 ? best : null;
}

function letterPairs(text: string): Set<string> {
  const pairs = new Set<string>();
  for (let at = 0; at < text.length - 1; at += 1) pairs.add(text.slice(at, at + 2).toLowerCase());
  return pairs;
}

/** Dice's coefficient of two sets, from 0 to 1. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const pair of a) if (b.has(pair)) common += 1;
  return a.size + b.size === 0 ? 0 : (2 * common) / (a.size + b.size);
}
