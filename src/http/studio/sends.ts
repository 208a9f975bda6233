import { findAccountWithBalances, type AccountWithBalances } from '../../db/repositories/accounts';
import { findCreditNoteDocument } from '../../db/repositories/invoice-documents';
import { findCurrentSeller } from '../../db/repositories/sellers';
import { findSend, findSendByKey, insertSend, listSends, lockRecentSends, NO_SEND_REFERENCES } from '../../db/repositories/sends';
import type { ContactRow, SendRow } from '../../db/rows';
import { CONTACT_ROLES } from '../../domain/account-record';
import { canonicalJson } from '../../domain/canonical-json';
import { DAY_MS } from '../../domain/duration';
import { ApiError, notFoundError, validationError } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { NEW_ID } from '../../domain/order-messages/fields';
import { parseCreditNoteReference } from '../../domain/order-number';
import { requestKey, SEND_STATES, SENT_DOCUMENTS } from '../../domain/sends';
import { draftCreditNote, draftInvoice, draftStatement, type Draft } from '../../mail/documents';
import { presentInvoiceRow } from '../../presenters/invoices';
import { presentSend } from '../../presenters/sends';
import { sha256 } from '../../security/fingerprint';
import { newId } from '../../security/ids';
import type { Filters } from '../filters';
import { readFilters } from '../filters';
import * as json from '../openapi/json';
import { pathId, requireFound } from '../path-id';
import { cursorByAge } from '../paging';
import { messageField } from '../schemas/message-field';
import { type BodyOf, bodySchema, booleanField, emailField, oneOfField, optional, singleLineTextField, textField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { loadInvoice } from './invoices';
import { loadPrintableStatement, periodOfBody, STATEMENT_PERIOD } from './statement';
import { audited } from './support/audited';
import { studioDay } from './support/book-in-force';
import { ACCOUNT_ID, ACCOUNT_NAME, EXAMPLE_TIME, INVOICE_NUMBER } from './support/examples';
import { dayField } from './support/fields';
import { defineList } from './support/lists';
import { accountIdField, prefixedIdField } from './support/query-filters';
import type { StudioEndpointRow, StudioRequest } from './support/types';
import { ORDER_EXAMPLE } from '../openapi/examples';

const mailFields = {
  sendId: messageField(NEW_ID).description('an id of your choice for the mail'),
  to: optional(emailField()).description('the recipient; the default is the first billing contact, else the e-mail address of the account'),
  subject: optional(singleLineTextField(1, LIMITS.mailSubjectLength)).description('the default is that of the draft'),
  message: optional(textField(1, LIMITS.mailTextLength)).description('the text; the default is that of the draft'),
  otherAddress: optional(booleanField()).description('true to send to an address that is not one of the account'),
};

export const sendRequest = bodySchema(mailFields);
export const statementSendRequest = bodySchema({
  ...mailFields,
  periodFrom: optional(dayField()).description('the first day of the statement; the default is the first of the month'),
  periodTo: optional(dayField()).description('the last day of the statement; the default is today'),
});

type SendRequest = BodyOf<typeof statementSendRequest>;
type Send = ReturnType<typeof presentSend>;

const SEND = json.resource<Send>('Send', {
  id: [json.id('snd'), 'snd_71c0'],
  sendId: [json.nullable(json.string("the caller's id; null if the service sent the mail")), 'books-2026-03-02/1'],
  accountId: [json.id('acc'), ACCOUNT_ID],
  accountName: [json.string(), ACCOUNT_NAME],
  document: [json.openEnum(SENT_DOCUMENTS, 'the attached document'), 'invoice'],
  documentNumber: [json.nullable(json.string('the number of the invoice or credit note; null for other documents')), INVOICE_NUMBER],
  orderId: [json.nullable(json.id('ord')), ORDER_EXAMPLE.orderId],
  orderNumber: [json.nullable(json.string()), ORDER_EXAMPLE.orderNumber],
  runId: json.nullable(json.id('run', 'the statement run that sent it')),
  step: json.nullable(json.integer('the step of a reminder, from 1')),
  periodFrom: json.nullable(json.date('the first day of a statement')),
  periodTo: json.nullable(json.date('the last day of a statement')),
  recipient: [json.string(), 'mia@harbour.example'],
  subject: [json.string(), `Invoice ${INVOICE_NUMBER}`],
  message: [json.string(), 'Attached is your invoice.'],
  state: [json.openEnum(SEND_STATES, 'skipped: erased before it was sent, or nothing was due any more'), 'pending'],
  failure: json.nullable(json.string('why the mail was not sent')),
  actor: [json.string('the name of the token that sent it'), 'books'],
  createdAt: [json.time(), EXAMPLE_TIME],
  endedAt: json.nullable(json.time('the time at which the mail server took or refused it; null while it is pending')),
});

interface MailDraft extends Draft {
  to: string;
  recipients: Pick<ContactRow, 'name' | 'role' | 'email'>[];
  fileName: string;
}

const MAIL_DRAFT = json.resource<MailDraft>('MailDraft', {
  to: [json.string('the default recipient'), 'mia@harbour.example'],
  recipients: json.list(
    json.object<MailDraft['recipients'][number]>({
      name: [json.string(), 'Mia Chen'],
      role: [json.openEnum(CONTACT_ROLES), 'billing'],
      email: [json.string(), 'mia@harbour.example'],
    }),
    'the addresses of the account: its contacts, then its own address',
  ),
  subject: [json.string(), `Invoice ${INVOICE_NUMBER}`],
  message: [json.string(), 'Attached is your invoice.'],
  fileName: [json.string('the name of the attached PDF'), `${INVOICE_NUMBER}.pdf`],
});

/** A document that can be sent, and its mail. */
interface Sendable extends Pick<SendRow, 'document' | 'account_id' | keyof typeof NO_SEND_REFERENCES> {
  isTest: boolean;
  fileName: string;
  draftFor: (account: AccountWithBalances, studio: string | null) => Draft;
}

async function loadSendableInvoice(request: StudioRequest): Promise<Sendable> {
  const invoice = await loadInvoice(request);
  const row = presentInvoiceRow(invoice, await studioDay(request));
  return {
    ...NO_SEND_REFERENCES,
    document: 'invoice',
    account_id: invoice.account_id,
    order_id: invoice.order_id,
    invoice_id: invoice.id,
    isTest: invoice.environment === 'test',
    fileName: invoice.invoice_number,
    draftFor: ({ name: accountName }, studio) => draftInvoice({ ...row, accountName }, studio),
  };
}

async function loadSendableCreditNote({ deps, params }: StudioRequest): Promise<Sendable> {
  const reference = parseCreditNoteReference(params.id ?? '');
  const note = reference === null ? null : await findCreditNoteDocument(deps.database, reference);
  if (note === null) throw notFoundError('credit note');
  const { credit_note_number: creditNoteNumber, invoice_number: invoiceNumber, amount_cents: amountCents, currency } = note;
  return {
    ...NO_SEND_REFERENCES,
    document: 'credit_note',
    account_id: note.account_id,
    order_id: note.order_id,
    invoice_id: note.invoice_id,
    credit_note_id: note.id,
    isTest: note.environment === 'test',
    fileName: creditNoteNumber,
    draftFor: ({ name: accountName }, studio) =>
      draftCreditNote({ creditNoteNumber, invoiceNumber, accountName, amountCents, currency }, studio),
  };
}

async function loadSendableStatement(
  request: StudioRequest,
  period: { from?: string | undefined; to?: string | undefined },
): Promise<Sendable> {
  const { name, statement } = await loadPrintableStatement(request, { ...period, environment: 'live' });
  const { from, to } = statement;
  return {
    ...NO_SEND_REFERENCES,
    document: 'statement',
    account_id: statement.accountId,
    period_from: from,
    period_to: to,
    isTest: false,
    fileName: name,
    draftFor: ({ name: accountName }, studio) => draftStatement({ accountName, from, to }, studio),
  };
}

interface SendRoute {
  path: string;
  /** Such as `Invoice`, in the ids of the operations. */
  of: string;
  named: string;
  query?: Readonly<Record<string, ReturnType<typeof dayField>>>;
  body: typeof sendRequest | typeof statementSendRequest;
  load: (request: StudioRequest, body: SendRequest | null) => Promise<Sendable>;
}

const SEND_DESCRIPTION = `The PDF is attached as it is when the mail is sent. \`to\` is an address of the account; another one needs \`otherAddress\`, and the audit log records that. The service sends the mail at least once, always with the same Message-ID. Only documents of live orders are sent. A token sends at most ${LIMITS.sendsPerDay} mails in 24 hours. Repeating the request with the same \`sendId\` is safe.`;

const routesOf = ({ path, of, named, query, body, load }: SendRoute): StudioEndpointRow[] => [
  {
    method: 'GET',
    path,
    role: 'office',
    ...(query && { query }),
    id: `draft${of}Mail`,
    summary: `Retrieve the draft mail of ${named}`,
    description: 'Has the default recipient, subject and text, and the addresses of the account. Nothing is sent.',
    response: MAIL_DRAFT,
    handler: async (request) => ({ data: await draftMail(request, await load(request, null)) }),
  },
  {
    method: 'POST',
    path,
    role: 'office',
    body,
    status: 202,
    id: `send${of}`,
    summary: `Send ${named} by mail`,
    description: SEND_DESCRIPTION,
    response: SEND,
    repeatDescription: 'The request was repeated: the response is the mail in its current state.',
    errorCodes: ['SEND_ID_REUSED', 'SEND_REFUSED'],
    requestExample: { sendId: 'books-2026-03-02/1', to: 'mia@harbour.example' },
    handler: async (request: StudioRequest<SendRequest>) => postSend(request, await load(request, request.body)),
  },
];

const SEND_FILTERS = {
  accountId: accountIdField,
  runId: prefixedIdField('run', 'a statement run').description('only the mails of this statement run'),
  document: oneOfField(SENT_DOCUMENTS).description('only mails with this document'),
  state: oneOfField(SEND_STATES).description('only this state'),
} as const;

export const SENDS_ENDPOINTS: readonly StudioEndpointRow[] = [
  ...routesOf({ path: '/invoices/:id/send', of: 'Invoice', named: 'an invoice', body: sendRequest, load: loadSendableInvoice }),
  ...routesOf({
    path: '/credit-notes/:id/send',
    of: 'CreditNote',
    named: 'a credit note',
    body: sendRequest,
    load: loadSendableCreditNote,
  }),
  ...routesOf({
    path: '/accounts/:id/statement/send',
    of: 'Statement',
    named: 'a statement',
    query: STATEMENT_PERIOD,
    body: statementSendRequest,
    load: async (request, body) =>
      loadSendableStatement(request, body === null ? readFilters(request.query, STATEMENT_PERIOD) : await periodOfBody(request, body)),
  }),
  ...defineList({
    path: '/sends',
    role: 'office',
    filters: SEND_FILTERS,
    id: 'listSends',
    summary: 'List sent documents',
    description: 'Lists the mails with documents, the newest first.',
    entry: SEND,
    list: (request) => ({
      find: (filters: Filters<typeof SEND_FILTERS>, page) => {
        const { accountId = null, runId = null, document = null, state = null } = filters;
        return listSends(request.deps.database, { accountId, runId, document, state }, page);
      },
      cursorOf: cursorByAge,
      present: presentSend,
    }),
  }),
  {
    method: 'GET',
    path: '/sends/:id',
    role: 'office',
    id: 'getSend',
    summary: 'Retrieve a sent document',
    response: SEND,
    handler: async (request) => ({
      data: presentSend(requireFound(request, 'snd', await findSend(request.deps.database, pathId(request, 'snd')))),
    }),
  },
];

async function draftMail({ deps }: StudioRequest<unknown>, sendable: Sendable): Promise<MailDraft> {
  const [account, seller] = await deps.database.snapshot((sql) =>
    Promise.all([findAccountWithBalances(sql, sendable.account_id), findCurrentSeller(sql)]),
  );
  if (account === null) throw notFoundError('account');
  const recipients = [
    ...account.contacts.map(({ name, role, email }) => ({ name, role, email })),
    { name: account.name, role: 'other' as const, email: account.email },
  ];
  return {
    to: billingAddressOf(account),
    recipients,
    ...sendable.draftFor(account, seller?.name ?? null),
    fileName: `${sendable.fileName}.pdf`,
  };
}

/** The first billing contact, else the account's own address. */
const billingAddressOf = ({ contacts, email }: AccountWithBalances): string =>
  contacts.find(({ role }) => role === 'billing')?.email ?? email;

/** Stores the mail and its audit entry. The workflow starts after the response. */
async function postSend(request: StudioRequest<SendRequest>, sendable: Sendable): Promise<HandlerResponse> {
  const { deps, caller, body } = request;
  const { isTest, fileName, draftFor: _draft, ...document } = sendable;
  const { sendId, ...requested } = body;
  const key = requestKey(sendId);
  const { period_from: _from, period_to: _to, ...compared } = document; // the defaults of a period change at midnight
  const digest = sha256(canonicalJson({ ...compared, ...requested }));
  const existing = await findSendByKey(deps.database, document.account_id, key);
  if (existing !== null) return respondToRepeat(existing, digest, sendId);
  if (isTest) throw new ApiError('SEND_REFUSED', `${fileName} belongs to a test order; only documents of live orders are sent`);
  const draft = await draftMail(request, sendable);
  const { to = draft.to, subject = draft.subject, message = draft.message, otherAddress = false } = body;
  const isKnown = draft.recipients.some(({ email }) => email.toLowerCase() === to.toLowerCase());
  if (!isKnown && !otherAddress)
    throw validationError([{ path: 'to', message: 'is not an address of the account; add it as a contact, or send otherAddress: true' }]);
  const id = newId('snd');
  const { isNew, stored } = await audited(request, async (sql, record) => {
    const now = deps.clock.now();
    const findStored = () => findSendByKey(sql, document.account_id, key);
    const recent = await lockRecentSends(sql, caller.tokenId, new Date(now.getTime() - DAY_MS), LIMITS.sendsPerDay);
    const send = { id, key, digest, ...document, recipient: to, subject, message, state: 'pending' as const, failure: null };
    const inserted = await insertSend(sql, { ...send, token_id: caller.tokenId, actor: caller.name, created_at: now, ended_at: null });
    if (!inserted) return { isNew: false, stored: await findStored() };
    if (recent.length >= LIMITS.sendsPerDay) throw tooManySends(recent[0] ?? now, now);
    const after = { document: document.document, documentName: fileName, sendId, otherAddress: !isKnown };
    await record({ action: 'document.send', subject: document.order_id ?? document.account_id, before: null, after });
    return { isNew: true, stored: await findStored() };
  });
  if (isNew) deps.workflowStarter.startSend(id);
  if (stored === null) throw notFoundError('mail');
  return isNew ? { data: presentSend(stored) } : respondToRepeat(stored, digest, sendId);
}

function respondToRepeat(existing: NonNullable<Awaited<ReturnType<typeof findSend>>>, digest: string, sendId: string): HandlerResponse {
  if (existing.digest === digest) return { data: presentSend(existing), status: 200 };
  throw new ApiError('SEND_ID_REUSED', `sendId ${sendId} was used for another mail of this account; send a new id`);
}

function tooManySends(oldest: Date, now: Date): ApiError {
  const seconds = Math.max(1, Math.ceil((oldest.getTime() + DAY_MS - now.getTime()) / 1000));
  const message = `a token sends at most ${LIMITS.sendsPerDay} mails in 24 hours; wait ${seconds} s`;
  return new ApiError('RATE_LIMITED', message, undefined, seconds);
}
