import { ID } from './ids';
import { list } from '../../../contract/json';
import type { OperationContract } from '../../../contract/operation';
import { DIFFERENCES_EXAMPLE, PRICE_BOOK_EXAMPLE, TRIAL_EXAMPLE } from '../examples';
import { PRICE_BOOK, PRICE_BOOK_SUMMARY, PRICE_DIFFERENCES, PRICE_TRIAL } from '../resources';

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
  diff: {
    id: 'diffPriceBooks',
    tag: 'Prices',
    summary: 'The rates in which a price book differs from another',
    params: { version: ID.version },
    answer: PRICE_DIFFERENCES,
    refuses: ['VALIDATION_ERROR'],
    example: { answer: DIFFERENCES_EXAMPLE },
  },
  try: {
    id: 'tryPriceBook',
    tag: 'Prices',
    summary: 'Price the newest quotes by a draft, and tell each line that would change',
    description:
      "Compared with the book in force, both on today's catalogue and discounts. Nothing is stored. Quotes that cannot be priced any more, " +
      'because their address was erased or a material is gone, are told, and so are those that the draft alone refuses. The draft is refused as publishing would.',
    answer: PRICE_TRIAL,
    example: { request: { book: {}, quotes: 50 }, answer: TRIAL_EXAMPLE },
  },
} satisfies Record<string, OperationContract>;
