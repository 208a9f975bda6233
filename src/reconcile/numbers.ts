import type { Sql } from '../db/database';
import { ENVIRONMENTS, type Environment } from '../domain/limits';
import type { Numbered } from '../domain/order-number';
import type { Finding, ReconcileDeps } from './finding';
import type { GivenOut } from './given-out';

interface Series {
  sequence: string;
  /** The last number drawn; the one before the first where none was. */
  last: number;
  stored: number;
}

/** Credit note numbers skipped after a restore: more than a studio writes between two backups, as the lost ones are unknown. */
const LOST_NOTES = 1000;

interface KnownNumbers {
  /** By anybody: by runs of orders, and by somebody who was asked. */
  known: GivenOut['highest'];
  /** By runs of orders alone. */
  byRuns: GivenOut['highest'];
  /** The database was just put back to an earlier state, as somebody says: by itself that shows only where orders were lost. */
  restored: boolean;
}

/**
 * Sequences that stand before a number somebody was given: a restored database would give it out again (ruling 8). Nobody but the database
 * knew the invoices' numbers; but an order and its invoice draw together, so one of their sequences is as far behind as the other. Credit
 * notes draw alone, and for a settled order too, so that after a restore a number is safe only beyond all that can have been drawn.
 */
export async function numbersBehind({ database }: ReconcileDeps, { known, byRuns, restored }: KnownNumbers): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const environment of ENVIRONMENTS) {
    const [orders, invoices, notes] = await Promise.all([
      series(database, 'order', environment),
      series(database, 'invoice', environment),
      series(database, 'credit_note', environment),
    ]);
    const given = known[environment];
    const behind = Math.max(0, shortOf(orders, given.order), given.invoice - invoices.last);
    for (const one of [orders, invoices]) findings.push(...finding(database, one, Math.max(one.last + behind, one.stored)));
    const wasRestored = restored || shortOf(orders, byRuns[environment].order) > 0;
    findings.push(...notesBehind(database, notes, given.credit_note, wasRestored));
  }
  return findings;
}

const shortOf = ({ last, stored }: Series, given: number): number => Math.max(given, stored) - last;

function notesBehind(sql: Sql, notes: Series, given: number, wasRestored: boolean): Finding[] {
  const least = Math.max(notes.last, notes.stored, given);
  if (!wasRestored) return finding(sql, notes, least);
  const target = least + LOST_NOTES;
  const why = `${LOST_NOTES} numbers are left out, up to ${target}: after a restore nobody knows which lost credit notes had`;
  return finding(sql, notes, target, why);
}

function finding(sql: Sql, { sequence, last }: Series, target: number, why = `numbers up to ${target} were given out`): Finding[] {
  if (target <= last) return [];
  return [
    {
      kind: 'numbers behind',
      subject: sequence,
      detail: `stands at ${last}, and ${why}`,
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
  const found = await sql.one<{ last: number }>(
    `
    SELECT COALESCE(pg_sequence_last_value($1::regclass), s.start_value - 1) AS last FROM pg_sequences s WHERE s.sequencename = $1::text AND s.schemaname = 'public'`,
    [sequence],
  );
  return found.last;
}

async function series(sql: Sql, of: Numbered, environment: Environment): Promise<Series> {
  const sequence = `${of}_numbers_${environment}`;
  const stored = await sql.value<number>(
    `SELECT COALESCE(max(substring(${of}_number from '[0-9]+')::bigint), 0) FROM ${of}s WHERE environment = $1`,
    [environment],
  );
  return { sequence, last: await lastOf(sql, sequence), stored };
}
