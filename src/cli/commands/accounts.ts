import type { ApiCommand } from '../api-command';

export const ACCOUNT_COMMANDS: Readonly<Record<string, ApiCommand>> = {
  'accounts list': {
    call: 'GET /accounts',
    columns: 'id, name, status, live.outstandingCents=owes, live.creditCents=credit, live.availableCents=available, createdAt=since',
    examples: ['accounts list --q gallery', 'accounts list --credit-used-over 80 --sort creditUsed', 'accounts list --all --json'],
  },
  'accounts show': { call: 'GET /accounts/:account' },
  'accounts create': { call: 'POST /accounts' },
  'accounts update': { call: 'PATCH /accounts/:account', examples: ['accounts update acc_0123abcd --status suspended'] },
  'accounts erase': {
    call: 'POST /accounts/:account/erase',
    dryRunQuestion: 'Erase this data permanently?',
    columns: 'dryRun=only counted, orders, quotes=expired quotes, artwork=artwork files',
  },
  'accounts statement': {
    call: 'GET /accounts/:account/statement',
    columns:
      'accountName=account, environment, from, to, openingCents, closingCents, closingOutstandingCents=to pay, closingCreditCents=credit, now.outstandingCents, now.creditCents',
    lists: {
      entries:
        'bookedOn=day, type, amountCents, balanceCents, orderNumber=order, invoiceNumber=invoice, creditNoteNumber=credit note, paymentId=payment, refundId=refund, reference',
      openInvoices: 'invoiceNumber=invoice, orderNumber=order, issuedAt=issued, dueDate=due, amountCents, dueCents=to pay',
    },
    examples: ['accounts statement acc_0123abcd --from 2026-03-01 --to 2026-03-31'],
  },
  'accounts statement-pdf': {
    call: 'GET /accounts/:account/statement.pdf',
    examples: ['accounts statement-pdf acc_0123abcd --from 2026-03-01 --to 2026-03-31'],
  },
  'accounts payments': {
    call: 'GET /accounts/:account/payments',
    columns:
      'receivedAt=when, paymentId=id, environment, source, amountCents, invoiceCount=invoices, unappliedCents=credit, reference, reversedAt',
  },
  'accounts payment': { call: 'GET /accounts/:account/payments/:payment' },
  'accounts pay': {
    call: 'POST /accounts/:account/payments',
    presets: [
      { flags: '--as-credit', field: 'invoices', description: 'pay no invoice; the complete amount becomes credit', presetValue: [] },
    ],
    examples: ['accounts pay acc_0123abcd --environment live --amount 220.50 --invoice INV-10001=100 --invoice INV-10002=120.50'],
  },
  'accounts reverse': { call: 'DELETE /accounts/:account/payments/:payment' },
  'accounts refund': { call: 'POST /accounts/:account/refunds' },
  'accounts refunds': {
    call: 'GET /accounts/:account/refunds',
    columns: 'createdAt=when, refundId=id, environment, amountCents, reference, reversedAt',
  },
  'accounts reverse-refund': { call: 'POST /accounts/:account/refunds/:refund/reverse' },
  'keys list': {
    call: 'GET /accounts/:account/keys',
    columns: 'id, environment, name, scopes, lastFour=ends in, lastUsedAt, expiresAt, revokedAt',
  },
  'keys mint': { call: 'POST /accounts/:account/keys' },
  'keys revoke': { call: 'DELETE /accounts/:account/keys/:key' },
  'tokens list': { call: 'GET /tokens', columns: 'id, name, role, lastUsedAt, expiresAt, revokedAt' },
  'tokens mint': { call: 'POST /tokens' },
  'tokens revoke': { call: 'DELETE /tokens/:token' },
};
