import { list } from '../../../contract/json';
import type { OperationContract } from '../../../contract/operation';
import { ACCOUNT_PAYMENT_EXAMPLE, ACCOUNT_PAYMENT_ROW_EXAMPLE, REFUND_EXAMPLE, STATEMENT_EXAMPLE } from '../examples';
import { ACCOUNT_PAYMENT, ACCOUNT_PAYMENT_ROW, REFUND, STATEMENT } from '../resources';
import { ID } from './ids';

/** What the contract says of payments on account (studio API "Endpoints", ruling 54). */
export const ACCOUNT_PAYMENT_OPERATIONS = {
  record: {
    id: 'recordAccountPayment',
    tag: 'Money',
    summary: 'Record a payment over any number of invoices',
    description:
      'Of money that came, or of credit that the account has. Where no `invoices` are sent the oldest are paid first. What pays none is credit, ' +
      'but a payment from credit has to be used up. All of it or nothing; safe to repeat by `paymentId`.',
    params: { id: ID.account },
    answer: ACCOUNT_PAYMENT,
    refuses: ['PAYMENT_REFUSED', 'PAYMENT_ID_REUSED', 'CREDIT_INSUFFICIENT'],
    example: {
      request: { paymentId: 'bank-2026-03-05/8', environment: 'live', amountCents: 20_000, reference: 'Harbour Gallery March' },
      answer: ACCOUNT_PAYMENT_EXAMPLE,
    },
  },
  list: {
    id: 'listAccountPayments',
    tag: 'Money',
    summary: "An account's payments, newest first",
    description: 'Of both environments unless one is named; those on account, not those that were recorded on a single order.',
    params: { id: ID.account },
    answer: list(ACCOUNT_PAYMENT_ROW),
    paged: true,
    example: { answer: [ACCOUNT_PAYMENT_ROW_EXAMPLE] },
  },
  read: {
    id: 'getAccountPayment',
    tag: 'Money',
    summary: 'One payment on account with the invoices it paid',
    params: { id: ID.account, paymentId: ID.payment },
    answer: ACCOUNT_PAYMENT,
    example: { answer: ACCOUNT_PAYMENT_EXAMPLE },
  },
  reverse: {
    id: 'reverseAccountPayment',
    tag: 'Money',
    summary: 'Reverse a payment on account as a whole',
    description: 'Its rest is taken from the credit. Reversed already, it is answered as it is.',
    params: { id: ID.account, paymentId: ID.payment },
    answer: ACCOUNT_PAYMENT,
    refuses: ['CREDIT_INSUFFICIENT'],
    example: { answer: ACCOUNT_PAYMENT_EXAMPLE },
  },
} satisfies Record<string, OperationContract>;

/** What the contract says of refunds (ruling 53). */
export const REFUND_OPERATIONS = {
  record: {
    id: 'recordRefund',
    tag: 'Money',
    summary: 'Record credit that was paid back',
    description: 'Up to the credit that the account has. Safe to repeat by `refundId`.',
    params: { id: ID.account },
    answer: REFUND,
    refuses: ['CREDIT_INSUFFICIENT', 'PAYMENT_ID_REUSED'],
    example: { request: { refundId: 'bank-2026-03-09/2', environment: 'live', amountCents: 1575 }, answer: REFUND_EXAMPLE },
  },
  list: {
    id: 'listRefunds',
    tag: 'Money',
    summary: "An account's refunds, newest first",
    params: { id: ID.account },
    answer: list(REFUND),
    paged: true,
    example: { answer: [REFUND_EXAMPLE] },
  },
} satisfies Record<string, OperationContract>;

/** What the contract says of statements (ruling 52). */
export const STATEMENT_OPERATIONS = {
  read: {
    id: 'getStatement',
    tag: 'Money',
    summary: "An account's statement",
    description:
      "Whole days of the studio's calendar, both included: from the first of the month unless said otherwise, to today. The opening balance and every " +
      'entry make the closing balance, which the next period opens with. Up to 10,000 entries, or a single day.',
    params: { id: ID.account },
    answer: STATEMENT,
    example: { answer: STATEMENT_EXAMPLE },
  },
} satisfies Record<string, OperationContract>;
