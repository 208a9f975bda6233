import Joi from 'joi';
import type { Sql } from '../../../db/database';
import { searchTerms } from '../../../domain/search-text';
import { toSearchForm } from '../../../db/repositories/order-search';
import { listAccounts } from '../../../db/repositories/account-list';
import {
  type AccountWithBalances,
  findAccount,
  findAccountBySenderId,
  findAccountWithBalances,
  insertAccount,
  lockAccount,
  newAccount,
  replaceContacts,
  type SentRequest,
  updateAccount,
} from '../../../db/repositories/accounts';
import type { AccountRow, ContactRow } from '../../../db/rows';
import { readAbn } from '../../../domain/abn';
import { CONTACT_ROLES, MAX_CONTACTS, type BillingAddress } from '../../../domain/account-record';
import { canonicalJson } from '../../../domain/canonical-json';
import { ApiError } from '../../../domain/errors';
import { ACCOUNT_STATUSES, LIMITS, MAX_CENTS, READY_MAILS } from '../../../domain/limits';
import { BPS_WHOLE } from '../../../domain/money';
import { auditedAccount, presentAccount } from '../../../presenters/accounts';
import { ACCOUNT_CSV } from '../../../presenters/csv-columns';
import { sha256 } from '../../../security/fingerprint';
import * as json from '../../openapi/json';
import { BILLING_ADDRESS } from '../../openapi/resources';
import { requireFound, pathId } from '../../path-id';
import { billingAddressField } from '../../schemas/shipping-address';
import {
  abnField,
  allOptional,
  type BodyOf,
  bodySchema,
  booleanField,
  changeSchema,
  emailField,
  integerField,
  nullable,
  oneOfField,
  optional,
  singleLineTextField,
  textField,
} from '../../schemas/text';
import type { HandlerResponse } from '../../types';
import { audited } from '../support/audited';
import { studioCurrency } from '../support/book-in-force';
import { defineList } from '../support/lists';
import { ACCOUNT_ID, ACCOUNT_NAME, EXAMPLE_TIME } from '../support/examples';
import { FORMER_NEWEST_SORT, searchTextField } from '../support/query-filters';
import { creditSchema } from '../support/resources';
import type { StudioEndpointRow, StudioRequest } from '../support/types';

const EMAIL_DESCRIPTION = 'the address printed on invoices and statements; it also receives mails about failing webhooks';

const PAYMENT_TERMS_DESCRIPTION = 'the number of days from the invoice to its due date';

const STATUS_DESCRIPTION = 'the keys of a suspended account are refused at once';

const API_ACCESS_DESCRIPTION = 'whether the keys of the account may send requests';

const READY_MAIL_DESCRIPTION =
  'who gets a mail when an order to collect is ready; the customer of a white-labelled order gets none, but the account does';

const contactFields = {
  name: textField(1, 200).description('the name on invoices'),
  email: emailField().description(EMAIL_DESCRIPTION),
};

const BILLING_ADDRESS_DESCRIPTION = 'printed on invoices below the name; Australian tax invoices from AUD 1,000 on need it or the ABN';

const DEFAULT_REFERENCE_DESCRIPTION = 'the reference of orders without one of their own, such as a standing purchase order';

const REMINDERS_DESCRIPTION = 'whether the account gets mails about overdue invoices; false at first';

const CONTACTS_DESCRIPTION = 'the people at the account; billing contacts get its invoices and statements';

const contactField = bodySchema({
  name: singleLineTextField(1, 200),
  role: oneOfField(CONTACT_ROLES).description('the purpose of the contact'),
  email: emailField(),
  phone: optional(nullable(singleLineTextField(1, 50))),
});

const recordFields = {
  billingAddress: nullable(billingAddressField).description(BILLING_ADDRESS_DESCRIPTION),
  abn: nullable(abnField()).description('eleven digits with a valid checksum'),
  defaultReference: nullable(singleLineTextField(1, LIMITS.referenceLength)).description(DEFAULT_REFERENCE_DESCRIPTION),
  reminders: booleanField().description(REMINDERS_DESCRIPTION),
  contacts: Joi.array<BodyOf<typeof contactField>[]>()
    .items(contactField)
    .max(MAX_CONTACTS)
    .description(`${CONTACTS_DESCRIPTION}; send the complete list`),
};

const termFields = {
  ...recordFields,
  tradeDiscountBps: integerField(0, BPS_WHOLE).description('the trade discount, in hundredths of a percent'),
  creditLimitCents: nullable(integerField(0, MAX_CENTS)).description(
    'the credit limit; null is no limit; with 0 the account must pay in advance',
  ),
  paymentTermsDays: integerField(0, 365).description(PAYMENT_TERMS_DESCRIPTION),
  status: oneOfField(ACCOUNT_STATUSES).description(STATUS_DESCRIPTION),
  apiAccess: booleanField().description(API_ACCESS_DESCRIPTION),
  readyMail: oneOfField(READY_MAILS).description(READY_MAIL_DESCRIPTION),
};

export const accountRequest = bodySchema({
  accountRequestId: optional(singleLineTextField(1, 100)).description('an id of the caller; repeating the request with it is safe'),
  ...contactFields,
  ...allOptional(termFields),
});

export const accountChange = changeSchema({ ...contactFields, ...termFields }, 'must contain at least one field to change');

type AccountChange = BodyOf<typeof accountChange>;

const ACCOUNT_SORTS = ['newest', 'name', 'creditUsed'] as const;

const ACCOUNT_FILTERS = {
  q: searchTextField().description('words in any order, all in the name and e-mail address, or all in one note; or the complete id'),
  status: oneOfField(ACCOUNT_STATUSES).description('only this status'),
  creditUsedOver: integerField(0, 1000).description('only accounts whose live orders use more than this percentage of the credit limit'),
  sort: oneOfField([...ACCOUNT_SORTS, FORMER_NEWEST_SORT]).description(
    'the default is `newest`, also named `createdAt`; `creditUsed` lists accounts first whose live orders use most of the credit limit',
  ),
} as const;

const CONTACT = json.object<ContactRow>({
  name: [json.string(), 'Mia Chen'],
  role: [json.openEnum(CONTACT_ROLES, 'the purpose of the contact'), 'billing'],
  email: [json.string(), 'mia@harbour.example'],
  phone: [json.nullable(json.string()), '02 5550 0104'],
});

const ACCOUNT = json.resource<ReturnType<typeof presentAccount>>('Account', {
  id: [json.id('acc'), ACCOUNT_ID],
  name: [json.string(), ACCOUNT_NAME],
  email: [json.string(EMAIL_DESCRIPTION), 'accounts@harbour.example'],
  billingAddress: { ...json.nullable(BILLING_ADDRESS), description: BILLING_ADDRESS_DESCRIPTION },
  abn: [json.nullable(json.string('in groups of digits')), '53 004 085 616'],
  defaultReference: [json.nullable(json.string(DEFAULT_REFERENCE_DESCRIPTION)), 'PO-2026'],
  reminders: [json.boolean(REMINDERS_DESCRIPTION), false],
  contacts: json.list(CONTACT, CONTACTS_DESCRIPTION),
  tradeDiscountBps: [json.integer('in hundredths of a percent'), 1500],
  creditLimitCents: [json.nullable(json.cents('null is no limit; with 0 the account must pay in advance')), 500_000],
  paymentTermsDays: [json.integer(PAYMENT_TERMS_DESCRIPTION), 30],
  status: [json.openEnum(ACCOUNT_STATUSES, STATUS_DESCRIPTION), 'active'],
  apiAccess: [json.boolean(API_ACCESS_DESCRIPTION), true],
  readyMail: [json.openEnum(READY_MAILS, READY_MAIL_DESCRIPTION), 'customer'],
  currency: [json.currency('the currency of its invoices; without invoices, the currency of the price book in force'), 'AUD'],
  live: [
    { ...creditSchema, description: 'the balances of live orders' },
    { outstandingCents: 0, creditCents: 0, availableCents: 500_000, usedBps: 0 },
  ],
  test: [
    { ...creditSchema, description: 'the balances of test orders' },
    { outstandingCents: 8425, creditCents: 0, availableCents: 491_575, usedBps: 168 },
  ],
  createdAt: [json.time(), EXAMPLE_TIME],
});

export const ACCOUNTS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/accounts',
    role: 'office',
    body: accountRequest,
    status: 201,
    id: 'createAccount',
    summary: 'Create an account',
    description:
      'The defaults are no discount, no credit limit, 30 days to pay, an active status and API access. Repeating the request with the same `accountRequestId` is safe.',
    response: ACCOUNT,
    repeatDescription: 'The request was repeated: the response is the existing account.',
    errorCodes: ['ACCOUNT_ID_REUSED'],
    requestExample: { accountRequestId: 'crm-4711', name: ACCOUNT_NAME, email: 'accounts@harbour.example', creditLimitCents: 500_000 },
    handler: createAccount,
  },
  ...defineList({
    path: '/accounts',
    role: 'office',
    filters: ACCOUNT_FILTERS,
    id: 'listAccounts',
    summary: 'List accounts',
    description: 'Lists the newest first, with the balances of each account.',
    entry: ACCOUNT,
    list: async (request) => {
      const { deps } = request;
      const currency = await studioCurrency(request);
      return {
        find: async ({ q, status, creditUsedOver, sort: requestedSort }, page) => {
          const sort = ACCOUNT_SORTS.find((known) => known === requestedSort) ?? 'newest';
          const creditUsedOverPercent = creditUsedOver === undefined ? undefined : Number(creditUsedOver);
          const form = q === undefined ? undefined : await toSearchForm(deps.database, q);
          const search = form === undefined ? undefined : { id: form.trim(), terms: searchTerms(form) };
          return listAccounts(deps.database, { search, status, creditUsedOver: creditUsedOverPercent, sort }, page);
        },
        cursorOf: (account, { sort }) => ({
          createdAt: sort === 'creditUsed' ? new Date(account.used_bps) : account.created_at,
          id: account.id,
          ...(sort === 'name' ? { name: account.name } : {}),
        }),
        present: (account) => presentAccount(account, currency),
      };
    },
    csv: {
      id: 'exportAccounts',
      summary: 'Export accounts as CSV',
      columns: ACCOUNT_CSV,
    },
  }),
  {
    method: 'GET',
    path: '/accounts/:id',
    role: 'office',
    id: 'getAccount',
    summary: 'Retrieve an account',
    response: ACCOUNT,
    handler: async (request) => ({
      data: presentAccount(await loadAccount(request.deps.database, request), await studioCurrency(request)),
    }),
  },
  {
    method: 'PATCH',
    path: '/accounts/:id',
    role: 'office',
    body: accountChange,
    id: 'changeAccount',
    summary: 'Update an account',
    description: 'Changes apply from the next request of the account on.',
    response: ACCOUNT,
    requestExample: { creditLimitCents: 500_000 },
    handler: patchAccount,
  },
];

async function createAccount(request: StudioRequest<BodyOf<typeof accountRequest>>): Promise<HandlerResponse> {
  const { accountRequestId, ...fields } = request.body;
  const account = applyChange(newAccount(request.deps.clock.now()), fields);
  const contacts = fields.contacts?.map(toContact) ?? [];
  const { id: _id, created_at: _at, ...terms } = { ...account, contacts };
  const senderRequest = accountRequestId === undefined ? null : { sender_id: accountRequestId, digest: sha256(canonicalJson(terms)) };
  const currency = await studioCurrency(request);
  return audited(request, async (sql, record) => {
    if (!(await insertAccount(sql, account, senderRequest)))
      return { data: presentAccount(await loadRepeatedAccount(sql, senderRequest), currency), status: 200 };
    await replaceContacts(sql, account.id, contacts);
    await record({ action: 'account.create', subject: account.id, before: null, after: auditedAccount(account) });
    const created = await findAccountWithBalances(sql, account.id);
    return { data: presentAccount(created as AccountWithBalances, currency) };
  });
}

/** The account that an earlier request with this id created. @throws ApiError ACCOUNT_ID_REUSED if its content differs */
async function loadRepeatedAccount(sql: Sql, request: SentRequest | null): Promise<AccountWithBalances> {
  const existing = request === null ? null : await findAccountBySenderId(sql, request.sender_id);
  if (existing !== null && existing.digest === request?.digest) return existing;
  throw new ApiError(
    'ACCOUNT_ID_REUSED',
    `accountRequestId ${request?.sender_id} was used for another account; send a new id for a new account`,
  );
}

/** A suspension applies from the account's next request on. */
async function patchAccount(request: StudioRequest<AccountChange>): Promise<HandlerResponse> {
  const id = pathId(request, 'acc');
  const currency = await studioCurrency(request);
  const account = await audited(request, async (sql, record) => {
    const before = requireFound(request, 'acc', await lockAccount(sql, id));
    const after = applyChange(before, request.body);
    await updateAccount(sql, after);
    const { contacts } = request.body;
    if (contacts !== undefined) await replaceContacts(sql, id, contacts.map(toContact));
    const unlisted = {
      ...(after.email !== before.email && { emailChanged: true }),
      ...(canonicalJson(after.billing_address) !== canonicalJson(before.billing_address) && { billingAddressChanged: true }),
      ...(contacts !== undefined && { contactsChanged: true }),
    };
    await record({
      action: 'account.change',
      subject: id,
      before: auditedAccount(before),
      after: { ...auditedAccount(after), ...unlisted },
    });
    return loadAccount(sql, request);
  });
  return { data: presentAccount(account, currency) };
}

const toContact = ({ phone = null, ...contact }: BodyOf<typeof contactField>): ContactRow => ({ ...contact, phone });

function applyChange(account: AccountRow, change: AccountChange): AccountRow {
  return {
    ...account,
    name: change.name ?? account.name,
    email: change.email ?? account.email,
    trade_discount_bps: change.tradeDiscountBps ?? account.trade_discount_bps,
    credit_limit_cents: change.creditLimitCents === undefined ? account.credit_limit_cents : change.creditLimitCents,
    payment_terms_days: change.paymentTermsDays ?? account.payment_terms_days,
    status: change.status ?? account.status,
    api_access: change.apiAccess ?? account.api_access,
    billing_address: change.billingAddress === undefined ? account.billing_address : withLine2(change.billingAddress),
    abn: change.abn === undefined ? account.abn : change.abn && readAbn(change.abn),
    ready_mail: change.readyMail ?? account.ready_mail,
    default_reference: change.defaultReference === undefined ? account.default_reference : change.defaultReference,
    reminders: change.reminders ?? account.reminders,
  };
}

const withLine2 = (address: BillingAddress | null): BillingAddress | null => address && { ...address, line2: address.line2 ?? null };

async function loadAccount(sql: Sql, request: StudioRequest): Promise<AccountWithBalances> {
  return requireFound(request, 'acc', await findAccountWithBalances(sql, pathId(request, 'acc')));
}

/** @throws ApiError NOT_FOUND, also for a malformed id */
export async function requireAccountId(request: StudioRequest): Promise<string> {
  return requireFound(request, 'acc', await findAccount(request.deps.database, pathId(request, 'acc'))).id;
}
