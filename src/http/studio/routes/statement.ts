import { readStatement, type StatementEntry, type StatementPeriod } from '../../../db/repositories/statement';
import type { AccountRow } from '../../../db/rows';
import { MAX_STATEMENT_ENTRIES } from '../../../domain/ledger';
import { ENVIRONMENTS } from '../../../domain/limits';
import { dayBefore, firstOfMonth } from '../../../domain/pricing/ready-date';
import { presentStatement, type PresentedStatement } from '../../../presenters/statement';
import { queryError } from '../../cursor';
import { found, pathId } from '../../path-id';
import type { Answer } from '../../types';
import { oneOf, periodOf } from '../query';
import type { StudioRequest } from '../types';

/** `GET /accounts/{id}/statement`: whole days of the studio's calendar, this month up to today unless said otherwise (ruling 52). */
export async function getStatement(request: StudioRequest): Promise<Answer> {
  return { data: (await readAsked(request)).statement };
}

/** The statement that is asked for, with the account as it is stored. @throws ApiError NOT_FOUND, VALIDATION_ERROR */
export async function readAsked(request: StudioRequest): Promise<{ statement: PresentedStatement; account: AccountRow }> {
  const period = await statementPeriod(request);
  const limit = period.from === period.to ? null : MAX_STATEMENT_ENTRIES + 1;
  const account = found(request, 'acc', await readStatement(request.deps.database, period, limit));
  assertBounded(period, account.entries);
  return { statement: presentStatement(account, period), account };
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
