import type { Sql } from '../db/database';
import { ENVIRONMENTS, type Environment } from '../domain/limits';
import type { NumberedKind } from '../domain/order-number';
import type { Finding, ReconcileDeps } from './finding';
import type { IssuedNumbers } from './issued-numbers';

interface Series {
  sequence: string;
  /** The last drawn number; before the first draw, one less than the first number. */
  last: number;
  stored: number;
}

/** How many credit note numbers are skipped after a restore. It exceeds the number of credit notes between two backups. */
const SKIPPED_CREDIT_NOTES = 1000;

interface NumberSources {
  /** Issued numbers that order runs or operators report. */
  issued: IssuedNumbers['highest'];
  /** Issued numbers that only order runs report. */
  issuedByRuns: IssuedNumbers['highest'];
  /** Set by the operator after a restore. Without it, the service detects a restore only if orders were lost. */
  restored: boolean;
}

/**
 * Finds sequences of a restored database that would issue a number again. Temporal knows the issued order numbers. An order and its invoice
 * draw their numbers together, so the sequence of invoices is behind by as many. Temporal does not know all issued credit note numbers, so
 * after a restore their sequence skips more numbers than can have been issued.
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
  const reason = `${SKIPPED_CREDIT_NOTES} numbers up to ${target} are skipped, because lost credit notes may have used them before the restore`;
  return createFinding(sql, notes, target, reason);
}

function createFinding(sql: Sql, { sequence, last }: Series, target: number, reason = `numbers up to ${target} were issued`): Finding[] {
  if (target <= last) return [];
  return [
    {
      kind: 'numbers behind',
      subject: sequence,
      detail: `is at ${last}, but ${reason}`,
      repair: () => drawUpTo(sql, sequence, target),
      isRepaired: async () => (await lastNumber(sql, sequence)) >= target,
    },
  ];
}

/** Draws numbers instead of setting the sequence. Drawing needs no extra privilege and cannot undo a concurrent draw. */
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
