import type { Sql } from '../db/database';
import { ENVIRONMENTS, type Environment } from '../domain/limits';
import type { NumberedKind } from '../domain/order-number';
import type { Finding, ReconcileDeps } from './finding';
import type { IssuedNumbers } from './issued-numbers';

interface Series {
  sequence: string;
  /** The last number drawn; the one before the first where none was. */
  last: number;
  stored: number;
}

/** Credit note numbers skipped after a restore: more than a studio writes between two backups, as the lost ones are unknown. */
const SKIPPED_CREDIT_NOTES = 1000;

interface NumberSources {
  /** By anybody: by runs of orders, and by somebody who was asked. */
  issued: IssuedNumbers['highest'];
  /** By runs of orders alone. */
  issuedByRuns: IssuedNumbers['highest'];
  /** The database was just put back to an earlier state, as somebody says: by itself that shows only where orders were lost. */
  restored: boolean;
}

/**
 * Sequences that stand before a number somebody was given: a restored database would give it out again (ruling 8). Nobody but the database
 * knew the invoices' numbers; but an order and its invoice draw together, so one of their sequences is as far behind as the other. Credit
 * notes draw alone, and for a settled order too, so that after a restore a number is safe only beyond all that can have been drawn.
 */
export async function findNumbersBehind(
  { database }: ReconcileDeps,
  { issued, issuedByRuns, restored }: NumberSources,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const environment of ENVIRONMENTS) {
    const [orders, invoices, notes] = await Promise.all([
      loadSeries(database, 'order', environment),
      loadSeries(database, 'invoice', environment),
      loadSeries(database, 'credit_note', environment),
    ]);
    const issuedHere = issued[environment];
    const missing = Math.max(0, missingCount(orders, issuedHere.order), issuedHere.invoice - invoices.last);
    for (const sequence of [orders, invoices])
      findings.push(...createFinding(database, sequence, Math.max(sequence.last + missing, sequence.stored)));
    const wasRestored = restored || missingCount(orders, issuedByRuns[environment].order) > 0;
    findings.push(...findCreditNotesBehind(database, notes, issuedHere.credit_note, wasRestored));
  }
  return findings;
}

const missingCount = ({ last, stored }: Series, issued: number): number => Math.max(issued, stored) - last;

function findCreditNotesBehind(sql: Sql, notes: Series, issued: number, wasRestored: boolean): Finding[] {
  const least = Math.max(notes.last, notes.stored, issued);
  if (!wasRestored) return createFinding(sql, notes, least);
  const target = least + SKIPPED_CREDIT_NOTES;
  const reason = `${SKIPPED_CREDIT_NOTES} numbers are left out, up to ${target}: after a restore nobody knows which lost credit notes had`;
  return createFinding(sql, notes, target, reason);
}

function createFinding(sql: Sql, { sequence, last }: Series, target: number, reason = `numbers up to ${target} were given out`): Finding[] {
  if (target <= last) return [];
  return [
    {
      kind: 'numbers behind',
      subject: sequence,
      detail: `stands at ${last}, and ${reason}`,
      repair: () => drawUpTo(sql, sequence, target),
      isRepaired: async () => (await lastNumber(sql, sequence)) >= target,
    },
  ];
}

/** Drawing them needs no right to set a sequence, and never sets one back beside somebody who draws. */
async function drawUpTo(sql: Sql, sequence: string, target: number): Promise<void> {
  await sql.run(`SELECT max(nextval($1::regclass)) FROM generate_series(1, $2::bigint)`, [
    sequence,
    target - (await lastNumber(sql, sequence)),
  ]);
}

async function lastNumber(sql: Sql, sequence: string): Promise<number> {
  const sequenceRow = await sql.one<{ last: number }>(
    `
    SELECT COALESCE(pg_sequence_last_value($1::regclass), s.start_value - 1) AS last FROM pg_sequences s WHERE s.sequencename = $1::text AND s.schemaname = 'public'`,
    [sequence],
  );
  return sequenceRow.last;
}

async function loadSeries(sql: Sql, kind: NumberedKind, environment: Environment): Promise<Series> {
  const sequence = `${kind}_numbers_${environment}`;
  const stored = await sql.value<number>(
    `SELECT COALESCE(max(substring(${kind}_number from '[0-9]+')::bigint), 0) FROM ${kind}s WHERE environment = $1`,
    [environment],
  );
  return { sequence, last: await lastNumber(sql, sequence), stored };
}
