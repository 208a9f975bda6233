import { ID } from './ids';
import { list } from '../../../contract/json';
import type { OperationContract } from '../../../contract/operation';
import { ACCOUNT_EXAMPLE } from '../examples';
import { ACCOUNT, ERASURE } from '../resources';

/** What the contract says of accounts (studio API "Endpoints"). */
export const ACCOUNT_OPERATIONS = {
  create: {
    id: 'createAccount',
    tag: 'Accounts',
    summary: 'Open an account',
    description:
      'No discount, no credit limit, 30 days, active and with API access unless said otherwise. Safe to repeat by `accountRequestId`.',
    answer: ACCOUNT,
    repeated: 'The account of the first time, as it is now.',
    refuses: ['ACCOUNT_ID_REUSED'],
    example: {
      request: { accountRequestId: 'crm-4711', name: ACCOUNT_EXAMPLE.name, email: ACCOUNT_EXAMPLE.email, creditLimitCents: 500_000 },
      answer: ACCOUNT_EXAMPLE,
    },
  },
  list: {
    id: 'listAccounts',
    tag: 'Accounts',
    summary: 'Every account with what it owes, newest first',
    answer: list(ACCOUNT),
    paged: true,
    example: { answer: [ACCOUNT_EXAMPLE] },
  },
  read: {
    id: 'getAccount',
    tag: 'Accounts',
    summary: 'One account with what it owes and may still order',
    params: { id: ID.account },
    answer: ACCOUNT,
    example: { answer: ACCOUNT_EXAMPLE },
  },
  change: {
    id: 'changeAccount',
    tag: 'Accounts',
    summary: 'Change any of its fields',
    description: "It bites on the account's next request.",
    params: { id: ID.account },
    answer: ACCOUNT,
    example: { request: { creditLimitCents: 500_000 }, answer: ACCOUNT_EXAMPLE },
  },
  erase: {
    id: 'erasePersonalData',
    tag: 'Accounts',
    summary: "Erase the personal data of the account's settled orders",
    description: 'Of orders placed, and quotes expired unordered, before a time; money, numbers and audit stay. A dry run only counts.',
    params: { id: ID.account },
    answer: ERASURE,
    example: { request: { before: '2025-01-01', dryRun: true }, answer: { dryRun: true, orders: 12, quotes: 3, artwork: 14 } },
  },
} satisfies Record<string, OperationContract>;
