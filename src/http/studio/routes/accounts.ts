import {
  findAccount,
  findAccountSent,
  findAccountStanding,
  insertAccount,
  lockAccount,
  updateAccount,
  type AccountStanding,
  type Sent,
} from '../../../db/repositories/accounts';
import { listAccounts, type ListedAccount } from '../../../db/repositories/account-list';
import type { Sql } from '../../../db/database';
import type { AccountRow } from '../../../db/rows';
import { auditedAccount, presentAccount } from '../../../presenters/accounts';
import { canonicalJson } from '../../../domain/canonical-json';
import { ApiError } from '../../../domain/errors';
import { sha256 } from '../../../security/fingerprint';
import { newId } from '../../../security/ids';
import type { AccountChange, AccountRequest } from '../schemas/accounts';
import { accountCsv } from '../../../presenters/csv-columns';
import type { Answer } from '../../types';
import { answerCsv } from '../csv';
import { audited } from '../audited';
import type { AccountStatus } from '../../../domain/limits';
import { answerFiltered, type FilteredList } from '../filters';
import { ACCOUNT_FILTERS, ACCOUNT_SORTS } from '../schemas/filters';
import type { StudioRequest } from '../types';
import { found, pathId } from '../../path-id';

/**
 * `POST /accounts`: no discount, no credit limit, 30 days, active and with API access unless said otherwise. The same again under one
 * `accountRequestId` is 200 with the account as it is.
 * @throws ApiError ACCOUNT_ID_REUSED
 */
export async function createAccount(request: StudioRequest<AccountRequest>): Promise<Answer> {
  const { accountRequestId, ...fields } = request.body;
  const account = changed(freshAccount(request.deps.clock.now()), fields);
  const { id: _id, created_at: _at, ...terms } = account;
  const sent = accountRequestId === undefined ? null : { sender_id: accountRequestId, digest: sha256(canonicalJson(terms)) };
  return audited(request, async (sql, record) => {
    if (!(await insertAccount(sql, account, sent))) return { data: presentAccount(await repeated(sql, sent)), status: 200 };
    await record({ action: 'account.create', subject: account.id, before: null, after: auditedAccount(account) });
    return { data: presentAccount({ ...account, outstanding_live: 0, outstanding_test: 0, credit_live: 0, credit_test: 0 }) };
  });
}

function freshAccount(now: Date): AccountRow {
  return {
    id: newId('acc'),
    name: '',
    email: '',
    trade_discount_bps: 0,
    credit_limit_cents: null,
    payment_terms_days: 30,
    status: 'active',
    api_access: true,
    created_at: now,
  };
}

/** The account that the sender's id opened before. @throws ApiError ACCOUNT_ID_REUSED where something else was sent then */
async function repeated(sql: Sql, sent: Sent | null): Promise<AccountStanding> {
  const known = sent === null ? null : await findAccountSent(sql, sent.sender_id);
  if (known !== null && known.digest === sent?.digest) return known;
  throw new ApiError('ACCOUNT_ID_REUSED', `the id ${sent?.sender_id} was used for another account; a new account takes a new id`);
}

export async function getAccounts(request: StudioRequest): Promise<Answer> {
  return answerFiltered(request, accountList(request));
}

/** `GET /accounts.csv` (ruling 64). */
export async function exportAccounts(request: StudioRequest): Promise<Answer> {
  const { pricingTerms, database, clock } = request.deps;
  return answerCsv(request, accountList(request), accountCsv(await pricingTerms.currency(database, clock.now())));
}

function accountList({ deps }: StudioRequest): FilteredList<ListedAccount, typeof ACCOUNT_FILTERS, ReturnType<typeof presentAccount>> {
  return {
    name: 'accounts',
    schemas: ACCOUNT_FILTERS,
    find: ({ q, status, creditUsedOver, sort: named }, page) => {
      const sort = ACCOUNT_SORTS.find((known) => known === named) ?? 'newest';
      const over = creditUsedOver === undefined ? undefined : Number(creditUsedOver);
      return listAccounts(deps.database, { q, status: status as AccountStatus | undefined, creditUsedOver: over, sort }, page);
    },
    mark: (account, { sort }) => ({
      createdAt: sort === 'creditUsed' ? new Date(account.used_bps) : account.created_at,
      id: account.id,
    }),
    present: presentAccount,
  };
}

export async function getAccount(request: StudioRequest): Promise<Answer> {
  return { data: presentAccount(await loadAccount(request.deps.database, request)) };
}

/** `PATCH /accounts/{id}`: a suspension, or withdrawn API access, takes effect with the account's next request (ruling 13). */
export async function patchAccount(request: StudioRequest<AccountChange>): Promise<Answer> {
  const id = pathId(request, 'acc');
  const account = await audited(request, async (sql, record) => {
    const before = found(request, 'acc', await lockAccount(sql, id));
    const after = changed(before, request.body);
    await updateAccount(sql, after);
    const email = after.email === before.email ? {} : { emailChanged: true };
    await record({ action: 'account.change', subject: id, before: auditedAccount(before), after: { ...auditedAccount(after), ...email } });
    return loadAccount(sql, request);
  });
  return { data: presentAccount(account) };
}

function changed(account: AccountRow, change: AccountChange): AccountRow {
  return {
    ...account,
    name: change.name ?? account.name,
    email: change.email ?? account.email,
    trade_discount_bps: change.tradeDiscountBps ?? account.trade_discount_bps,
    credit_limit_cents: change.creditLimitCents === undefined ? account.credit_limit_cents : change.creditLimitCents,
    payment_terms_days: change.paymentTermsDays ?? account.payment_terms_days,
    status: change.status ?? account.status,
    api_access: change.apiAccess ?? account.api_access,
  };
}

async function loadAccount(sql: Sql, request: StudioRequest): Promise<AccountStanding> {
  return found(request, 'acc', await findAccountStanding(sql, pathId(request, 'acc')));
}

/** The account's id in the path. @throws ApiError NOT_FOUND for a malformed one, which can name nothing (ruling 8) */
export async function existingAccountId(request: StudioRequest): Promise<string> {
  return found(request, 'acc', await findAccount(request.deps.database, pathId(request, 'acc'))).id;
}
