import type { Database } from '../db/database';
import type { Clock } from '../platform/clock';
import { mapLimited } from '../runtime/map-limited';
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
  | 'run differs'
  | 'unresponsive run'
  | 'quote without a timer'
  | 'quote not marked expired'
  | 'delivery without retries'
  | 'invoice without its entries'
  | 'balances that differ';

/** A difference between PostgreSQL and Temporal, or within the ledger. PostgreSQL is authoritative, except for issued numbers. */
export interface Finding {
  kind: FindingKind;
  /** The id of the record, or the name of the sequence. */
  subject: string;
  /** Describes both sides of the difference. */
  detail: string;
  repair(): Promise<unknown>;
  /** True if the repair has taken effect. A workflow may apply it after `repair` resolves. */
  isRepaired(): Promise<boolean>;
}

/** Maximum of concurrent comparisons and repairs. */
export const CONCURRENCY = 16;

/** Compares all items, `CONCURRENCY` at a time. */
export async function compareAll<T>(items: readonly T[], compare: (item: T) => Promise<Finding | null>): Promise<Finding[]> {
  return (await mapLimited(items, CONCURRENCY, compare)).filter((finding) => finding !== null);
}

const PAGE_SIZE = 1000;

/** Every row of a query, page by page. The query ends with `id > $1 ORDER BY id LIMIT $2`. */
export async function* readPages<T extends { id: string }>({ database }: ReconcileDeps, query: string): AsyncGenerator<T[]> {
  for (let after = ''; ;) {
    const page = await database.rows<T>(query, [after, PAGE_SIZE]);
    yield page;
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)?.id ?? after;
  }
}

/** Compares every row of a query. The query ends as for `readPages`. */
export async function compareRows<T extends { id: string }>(
  deps: ReconcileDeps,
  query: string,
  compare: (row: T) => Promise<Finding | null>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const page of readPages<T>(deps, query)) findings.push(...(await compareAll(page, compare)));
  return findings;
}

export function chunks<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / PAGE_SIZE) }, (_, index) => items.slice(index * PAGE_SIZE, (index + 1) * PAGE_SIZE));
}
