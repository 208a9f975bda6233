import { ID } from './ids';
import { list } from '../../../contract/json';
import type { OperationContract } from '../../../contract/operation';
import { PRICE_BOOK_EXAMPLE } from '../examples';
import { PRICE_BOOK, PRICE_BOOK_SUMMARY } from '../resources';

/** What the contract says of price books (studio API "Endpoints"). */
export const BOOK_OPERATIONS = {
  list: {
    id: 'listPriceBooks',
    tag: 'Prices',
    summary: 'The published price books, newest first',
    answer: list(PRICE_BOOK_SUMMARY),
    paged: true,
    example: { answer: [PRICE_BOOK_EXAMPLE] },
  },
  publish: {
    id: 'publishPriceBook',
    tag: 'Prices',
    summary: 'Publish a whole price book as the next version',
    description: 'In force from `effectiveAt`, now unless said otherwise. Refused with every fault named.',
    answer: PRICE_BOOK,
    example: { request: { book: {} }, answer: { ...PRICE_BOOK_EXAMPLE, book: {} } },
  },
  read: {
    id: 'getPriceBook',
    tag: 'Prices',
    summary: 'A price book as it was published',
    params: { version: ID.version },
    answer: PRICE_BOOK,
    example: { answer: { ...PRICE_BOOK_EXAMPLE, book: {} } },
  },
} satisfies Record<string, OperationContract>;
