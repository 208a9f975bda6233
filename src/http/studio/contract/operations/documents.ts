import { FILE, string } from '../../../contract/json';
import type { OperationContract } from '../../../contract/operation';
import { ID } from './ids';

/** An answer that is a PDF, outside the envelope; its refusals are in it (ruling 62). */
const pdf = (operation: Pick<OperationContract, 'id' | 'summary' | 'description' | 'params'>): OperationContract => ({
  ...operation,
  tag: 'Documents',
  media: 'application/pdf',
  answer: FILE,
  answerHeaders: { 'Content-Disposition': string('shown where it is opened, with the name it is saved under') },
  example: { answer: null },
});

/** What the contract says of documents (studio API "Endpoints"). */
export const DOCUMENT_OPERATIONS = {
  jobSheet: pdf({
    id: 'printJobSheet',
    summary: "The floor's job sheet, as PDF",
    description: 'What to make, with names in place of ids; the order number as Code 128.',
    params: { id: ID.order },
  }),
  packingSlip: pdf({
    id: 'printPackingSlip',
    summary: 'What goes into a parcel, as PDF',
    description: 'Of one parcel, or of the whole order. Of a white-label order nothing in it is of the studio: the account is the sender.',
    params: { id: ID.order },
  }),
  invoice: pdf({
    id: 'printInvoice',
    summary: 'The tax invoice, as PDF',
    description:
      'With the name, ABN and bank account that the studio had on the day it was issued. Of a test order it is no tax invoice, and asks for no money.',
    params: { id: ID.invoice },
  }),
  creditNote: pdf({
    id: 'printCreditNote',
    summary: 'A credit note, as PDF',
    params: { id: ID.creditNote },
  }),
  statement: pdf({
    id: 'printStatement',
    summary: "An account's statement, as PDF",
    description:
      'Of the same days as the statement itself. At most 4,000 entries or 400,000 letters, one outside Latin, Greek and Cyrillic ' +
      'counted ten times; VALIDATION_ERROR says which days a PDF holds.',
    params: { id: ID.account },
  }),
} satisfies Record<string, OperationContract>;
