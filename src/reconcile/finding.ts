import type { Database } from '../db/database';
import type { Clock } from '../clock';
import type { Temporal } from '../temporal';

export interface ReconcileDeps {
  database: Database;
  temporal: Temporal;
  clock: Clock;
}

export type FindingKind =
  | 'numbers behind'
  | 'order without a run'
  | 'run without an order'
  | 'run knows otherwise'
  | 'run that cannot answer'
  | 'hold without a run'
  | 'delivery without retries'
  | 'invoice without its entries'
  | 'sums that differ';

/** A disagreement of PostgreSQL and Temporal, or within the books. PostgreSQL is right, except about numbers that were given out. */
export interface Finding {
  kind: FindingKind;
  /** An id, or the name of a sequence. */
  subject: string;
  /** What one side says and the other, for people. */
  detail: string;
  mend(): Promise<unknown>;
  /** Whether they agree now: what a workflow is told it does a moment later. */
  isMended(): Promise<boolean>;
}

const AT_ONCE = 16;

/** Runs `work` for every item, sixteen at a time; what it answers but null, in no order. */
export async function inParallel<T, R>(items: Iterable<T>, work: (item: T) => Promise<R | null>): Promise<R[]> {
  const results: R[] = [];
  const source = items[Symbol.iterator]();
  const turn = async (): Promise<void> => {
    for (let next = source.next(); next.done !== true; next = source.next()) {
      const result = await work(next.value);
      if (result !== null) results.push(result);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, turn));
  return results;
}

const PAGE = 1000;

/** The findings among all rows of a query with `id > $1 … ORDER BY id LIMIT $2`, read page by page. */
export async function lookAtAll<T extends { id: string }>(
  { database }: ReconcileDeps,
  query: string,
  look: (row: T) => Promise<Finding | null>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let after = ''; ;) {
    const page = await database.rows<T>(query, [after, PAGE]);
    findings.push(...(await inParallel(page, look)));
    if (page.length < PAGE) return findings;
    after = page.at(-1)?.id ?? after;
  }
}

export function chunks<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / PAGE) }, (_, index) => items.slice(index * PAGE, (index + 1) * PAGE));
}
