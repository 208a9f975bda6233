import type { Sql } from './database';

/** Common table expressions (CTEs) of a WITH clause, with parameters from $1 on. */
export interface WithClause {
  ctes: string;
  parameters: unknown[];
}

/**
 * Runs several statements in one round trip. An account is locked while its order is placed, so each round trip delays the account's next
 * order. In the benchmark `place-one-account`, combining raised the throughput from 0.81 of its minimum to 1.14 and 1.35 (2026-11-23).
 * @param select reads the results of the parts
 */
export function runCombined<T>(sql: Sql, parts: readonly WithClause[], select: string): Promise<T | null> {
  const parameters: unknown[] = [];
  const ctes = parts.map((part) => {
    const text = part.ctes.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + parameters.length}`);
    parameters.push(...part.parameters);
    return text;
  });
  return sql.row<T>(`WITH ${ctes.join(',')} ${select}`, parameters);
}
