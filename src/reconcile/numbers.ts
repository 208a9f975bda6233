import type { Sql } from '../db/database';
import { ENVIRONMENTS, type Environment } from '../domain/limits';
import type { Numbered } from '../domain/order-number';
import type { Finding, ReconcileDeps } from './finding';
import type { GivenOut } from './given-out';

interface Series {
  sequence: string;
  /** The last number drawn; the one before the first where none was. */
  last: number;
  /** The highest that a row has. */
  stored: number;
}

/**
 * Sequences that stand before a number somebody was given: a restored database would give it out again (ruling 8). Nobody but the database
 * knew the invoices' numbers; but an order and its invoice draw together, so the invoices' sequence is as far behind as the orders'. Of
 * credit notes nobody knows but their rows.
 */
export async function numbersBehind({ database }: ReconcileDeps, givenOut: GivenOut['highest']): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const environment of ENVIRONMENTS) {
    const [orders, invoices] = await Promise.all([series(database, 'order', environment), series(database, 'invoice', environment)]);
    const behind = Math.max(0, Math.max(givenOut[environment].order, orders.stored) - orders.last);
    for (const one of [orders, invoices]) findings.push(...finding(database, one, Math.max(one.last + behind, one.stored)));
    const notes = await series(database, 'credit_note', environment);
    findings.push(...finding(database, notes, notes.stored));
  }
  return findings;
}

function finding(sql: Sql, { sequence, last }: Series, target: number): Finding[] {
  if (target <= last) return [];
  return [
    {
      kind: 'numbers behind',
      subject: sequence,
      detail: `stands at ${last}, and numbers up to ${target} were given out`,
      mend: () => drawUpTo(sql, sequence, target),
      isMended: async () => (await lastOf(sql, sequence)) >= target,
    },
  ];
}

/** Drawing them needs no right to set a sequence, and never sets one back beside somebody who draws. */
async function drawUpTo(sql: Sql, sequence: string, target: number): Promise<void> {
  await sql.run(`SELECT max(nextval($1::regclass)) FROM generate_series(1, $2::bigint)`, [
    sequence,
    target - (await lastOf(sql, sequence)),
  ]);
}

async function lastOf(sql: Sql, sequence: string): Promise<number> {
  const found = await sql.row<{ last: number }>(
    `
    SELECT COALESCE(pg_sequence_last_value($1::regclass), s.start_value - 1) AS last FROM pg_sequences s WHERE s.sequencename = $1::text AND s.schemaname = 'public'`,
    [sequence],
  );
  if (found === null) throw new Error(`there is no sequence ${sequence}`);
  return found.last;
}

async function series(sql: Sql, of: Numbered, environment: Environment): Promise<Series> {
  const sequence = `${of}_numbers_${environment}`;
  const [found] = await sql.rows<{ stored: number | null }>(
    `SELECT max(substring(${of}_number from '[0-9]+')::bigint) AS stored FROM ${of}s WHERE environment = $1`,
    [environment],
  );
  return { sequence, last: await lastOf(sql, sequence), stored: found?.stored ?? 0 };
}
