import { readStatement, type StatementEntry, type StatementPeriod, type StatementRow } from '../../../db/repositories/statement';
import type { AccountRow } from '../../../db/rows';
import { firstUnprintable, MAX_PRINTED_ENTRIES, MAX_PRINTED_LETTERS } from '../../../documents/statement';
import { MAX_STATEMENT_ENTRIES } from '../../../domain/ledger';
import { ENVIRONMENTS } from '../../../domain/limits';
import { dayBefore, firstOfMonth } from '../../../domain/pricing/ready-date';
import { csvHead, csvRows } from '../../../presenters/csv';
import { statementCsv, statementLines } from '../../../presenters/csv-columns';
import { presentStatement, type PresentedStatement } from '../../../presenters/statement';
import { queryError } from '../../cursor';
import { found, pathId } from '../../path-id';
import type { Answer } from '../../types';
import { csvFile, zoneOf } from '../csv';
import { oneOf, periodOf } from '../query';
import type { StudioRequest } from '../types';

/** `GET /accounts/{id}/statement`: whole days of the studio's calendar, this month up to today unless said otherwise (ruling 52). */
export async function getStatement(request: StudioRequest): Promise<Answer> {
  const period = await statementPeriod(request);
  const account = await readAsked(request, period, period.from === period.to ? null : MAX_STATEMENT_ENTRIES + 1);
  assertBounded(period, account.entries);
  return { data: presentStatement(account, period) };
}

/** `GET /accounts/{id}/statement.csv`: the same, between its two balances. */
export async function exportStatement(request: StudioRequest): Promise<Answer> {
  const { data } = await getStatement(request);
  const statement = data as PresentedStatement;
  const { pricingTerms, database, clock } = request.deps;
  const columns = statementCsv(statement.accountName, await pricingTerms.currency(database, clock.now()));
  const lines = [csvHead(columns), csvRows(columns, statementLines(statement), await zoneOf(request))];
  return csvFile(`statement-${statement.from}-${statement.to}`, lines);
}

interface ToPrint {
  statement: PresentedStatement;
  /** As it is stored. */
  account: AccountRow;
}

/** The same for paper, which holds less. @throws ApiError NOT_FOUND, VALIDATION_ERROR */
export async function statementToPrint(request: StudioRequest): Promise<ToPrint> {
  const period = await statementPeriod(request);
  const account = await readAsked(request, period, MAX_PRINTED_ENTRIES + 1);
  const statement = presentStatement(account, period);
  assertPrintable(period, statement.entries);
  return { statement, account };
}

async function readAsked(request: StudioRequest, period: StatementPeriod, limit: number | null): Promise<StatementRow> {
  return found(request, 'acc', await readStatement(request.deps.database, period, limit));
}

/** @throws ApiError VALIDATION_ERROR */
async function statementPeriod(request: StudioRequest): Promise<StatementPeriod> {
  const { deps, query } = request;
  const accountId = pathId(request, 'acc');
  const asked = periodOf(query);
  const to = asked.to ?? (await deps.pricingTerms.today(deps.database, deps.clock.now()));
  const from = asked.from ?? firstOfMonth(to);
  if (from > to) throw queryError('from', `must not be after to, which is today unless it is sent: ${to}`);
  return { accountId, environment: oneOf(query, 'environment', ENVIRONMENTS) ?? 'live', from, to };
}

/** A single day is answered whatever was booked on it. @throws ApiError VALIDATION_ERROR that says up to when it is not too much */
function assertBounded({ from, to }: StatementPeriod, entries: readonly StatementEntry[]): void {
  const beyond = entries[MAX_STATEMENT_ENTRIES];
  if (beyond === undefined || from === to) return;
  const fits = beyond.booked_on > from ? dayBefore(beyond.booked_on) : from;
  throw queryError(
    'to',
    `covers more than ${MAX_STATEMENT_ENTRIES} entries; to=${fits} does not, and the next statement begins the day after`,
  );
}

/** @throws ApiError VALIDATION_ERROR that says up to when a PDF holds it, or that none does */
function assertPrintable({ accountId, from, to }: StatementPeriod, entries: PresentedStatement['entries']): void {
  const beyond = entries[firstUnprintable(entries)];
  if (beyond === undefined) return;
  const name = `covers more than a PDF holds, ${MAX_PRINTED_ENTRIES} entries or ${MAX_PRINTED_LETTERS} letters`;
  const asJson = `/accounts/${accountId}/statement?from=${from}&to=${from}`;
  if (beyond.bookedOn === from)
    throw queryError('to', `${name}, ${to === from ? '' : 'already '}on ${from} alone; read that day as JSON: ${asJson}`);
  throw queryError('to', `${name}; to=${dayBefore(beyond.bookedOn)} does not, and the next statement begins the day after`);
}
