import type { ApiCommand } from '../api-command';

export const INVOICE_COMMANDS: Readonly<Record<string, ApiCommand>> = {
  'invoices list': {
    call: 'GET /invoices',
    columns: 'invoiceNumber=invoice, orderNumber=order, accountName=account, amountCents, dueCents=to pay, state, dueDate=due, overdue',
    examples: ['invoices list --bucket days31To60 --sort dueDate', 'invoices list --account acc_0123abcd --state open --all'],
  },
  'invoices ageing': { call: 'GET /invoices/ageing' },
  'invoices show': { call: 'GET /invoices/:invoice' },
  'invoices pdf': { call: 'GET /invoices/:invoice.pdf', examples: ['invoices pdf INV-10001 --out march.pdf --force'] },
  'invoices credit-notes': {
    call: 'GET /credit-notes',
    columns:
      'creditNoteNumber=note, invoiceNumber=invoice, accountName=account, amountCents, gstCents=gst, reason, createdAt=issued, reversedAt',
    examples: ['invoices credit-notes --from 2026-07-01 --to 2026-09-30'],
  },
  'payment list': {
    call: 'GET /payments',
    columns: 'receivedAt=received, accountName=account, amountCents, source, reference, paymentId=id, orderNumber=order, reversedAt',
    examples: ['payment list --from 2026-03-05 --to 2026-03-05'],
  },
  'refunds list': {
    call: 'GET /refunds',
    columns: 'createdAt=recorded, accountName=account, amountCents, reference, refundId=id, reversedAt',
    examples: ['refunds list --from 2026-03-05 --to 2026-03-05'],
  },
  'invoices credit-note-pdf': { call: 'GET /credit-notes/:note.pdf' },
  'invoices credit': { call: 'POST /invoices/:invoice/credit-notes' },
  'attention list': {
    call: 'GET /attention',
    columns: 'since, orderNumber=order, status, accountName=account, code, message',
    examples: ['attention list --code DELIVERY_FAILED'],
  },
  'attention count': { call: 'GET /attention/counts', columns: 'code, open, orders, oldestSince=since' },
  'attention resolve': {
    call: 'POST /orders/:order/attention/:code/resolve',
    columns: 'orderNumber=order, status',
    lists: { attention: 'code, since, message' },
  },
};
