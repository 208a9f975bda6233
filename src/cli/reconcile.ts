import { systemClock } from '../platform/clock';
import type { Config } from '../config/config';
import { NO_TIMEOUTS, openDatabase } from '../db/database';
import type { Environment } from '../domain/limits';
import { reconcile, type ReconcileResult, type ReconcileOptions } from '../reconcile';
import { parseNumber } from '../domain/order-number';
import { withTemporal } from './connections';
import { usageError } from './errors';

/** Returns the numbers if all of them belong to the environment. @throws CommandFailure */
export function assertIssuedNumbers(numbers: readonly string[], environment: Environment): readonly string[] {
  for (const text of numbers) {
    if (parseNumber(text)?.environment === environment) continue;
    const { order, invoice, creditNote } = EXAMPLE_NUMBERS[environment];
    throw usageError(`--issued-${environment} takes a number such as ${order}, ${order}-R2, ${invoice} or ${creditNote}, not "${text}"`);
  }
  return numbers;
}

const EXAMPLE_NUMBERS = {
  live: { order: 'P-10250', invoice: 'INV-10250', creditNote: 'CN-10013' },
  test: { order: 'T-10020', invoice: 'TINV-10020', creditNote: 'TCN-10013' },
} as const satisfies Record<Environment, object>;

/** Reconciles on separate connections without timeouts. @throws DatabaseUnreachable, UnreachableError, ReconcileError */
export async function reconcileWithConfig(config: Config, options: ReconcileOptions): Promise<ReconcileResult> {
  const database = await openDatabase(config.databaseDirectUrl, 8, NO_TIMEOUTS);
  try {
    return await withTemporal(config, (temporal) => reconcile({ database, temporal, clock: systemClock }, options));
  } finally {
    await database.close();
  }
}

/** Lists every finding, because the next run no longer finds what this run has repaired. */
export function formatReconcileResult({ findings, issuedTwice }: ReconcileResult, dryRun: boolean): string {
  if (findings.length + issuedTwice.length === 0) return 'no differences between PostgreSQL and Temporal';
  const kinds = [...new Set(findings.map(({ kind }) => kind))];
  const findingsOf = (kind: string) => findings.filter((finding) => finding.kind === kind);
  const table = [
    ['', 'found', dryRun ? 'to repair' : 'repaired'],
    ...kinds.map((kind) => [
      kind,
      String(findingsOf(kind).length),
      String(findingsOf(kind).filter(({ repaired }) => repaired !== dryRun).length),
    ]),
  ];
  const lines = findings.map(
    ({ kind, subject, detail, repaired }) => `${repaired || dryRun ? '' : 'NOT REPAIRED  '}${kind}: ${subject}: ${detail}`,
  );
  return [
    ...table.map(([kind = '', found = '', repaired = '']) => `${kind.padEnd(26)}${found.padStart(7)}${repaired.padStart(11)}`),
    '',
    ...lines,
    ...issuedTwice.map(
      ({ orderNumber, orderId, lostOrderId }) =>
        `ISSUED TWICE  ${orderNumber}: ${orderId} has it, and the lost order ${lostOrderId} had it; inform the client of the lost order`,
    ),
  ].join('\n');
}
