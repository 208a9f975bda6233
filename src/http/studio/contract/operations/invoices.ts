import { list } from '../../../contract/json';
import type { OperationContract } from '../../../contract/operation';
import { CREDITED_INVOICE_EXAMPLE, INVOICE_ROW_EXAMPLE, WHOLE_INVOICE_EXAMPLE } from '../examples';
import { INVOICE_ROW, WHOLE_INVOICE } from '../resources';
import { ID } from './ids';

/** What the contract says of invoices (studio API "Endpoints"). */
export const INVOICE_OPERATIONS = {
  list: {
    id: 'listInvoices',
    tag: 'Money',
    summary: 'Invoices, newest first',
    description:
      "Of live orders unless test ones are asked for. `from` and `to` are days of the studio's calendar on which they were issued, both included.",
    answer: list(INVOICE_ROW),
    paged: true,
    example: { answer: [INVOICE_ROW_EXAMPLE] },
    links: {
      readIt: {
        operationId: 'getInvoice',
        parameters: { id: '$response.body#/data/0/invoiceNumber' },
        description: 'Reads the newest invoice.',
      },
    },
  },
  read: {
    id: 'getInvoice',
    tag: 'Money',
    summary: 'One invoice with its payments and credit notes',
    description: 'By its id or by its number.',
    params: { id: ID.invoice },
    answer: WHOLE_INVOICE,
    example: { answer: WHOLE_INVOICE_EXAMPLE },
  },
  credit: {
    id: 'creditInvoice',
    tag: 'Money',
    summary: 'Write a credit note',
    description:
      "Up to the invoice's amount less earlier notes, paid or not: what it then has too much is credit of the account. Safe to repeat by `creditNoteId`.",
    params: { id: ID.invoice },
    answer: WHOLE_INVOICE,
    refuses: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED'],
    example: {
      request: { creditNoteId: 'complaint-17', amountCents: 1000, reason: 'scratched frame' },
      answer: CREDITED_INVOICE_EXAMPLE,
    },
  },
} satisfies Record<string, OperationContract>;
