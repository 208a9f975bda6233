import { BASKET_EXAMPLE, BREAKDOWN_EXAMPLE, QUOTE_EXAMPLE } from '../examples';
import { string } from '../json';
import type { OperationContract, Parameter } from '../operation';
import { BREAKDOWN, QUOTE } from '../resources';

const quoteId: Parameter = { schema: string(), description: 'of the quote', example: QUOTE_EXAMPLE.quoteId };

export const QUOTE_OPERATIONS = {
  create: {
    id: 'createQuote',
    tag: 'Quotes',
    summary: 'Price a basket; the price holds for 24 hours',
    description:
      'Without `shippingMethodId` the answer is `SHIPPING_UNAVAILABLE`, whose details are the delivery methods with their prices: that is how to discover them. It stores nothing.',
    answer: QUOTE,
    refuses: [
      'ARTWORK_NOT_ALLOWED',
      'ARTWORK_REQUIRED',
      'INVALID_QUANTITY',
      'MAT_BELOW_MINIMUM',
      'PRODUCT_UNAVAILABLE',
      'PRODUCT_UNSUPPORTED',
      'SHIPPING_ADDRESS_INCOMPLETE',
      'SHIPPING_UNAVAILABLE',
    ],
    example: { request: BASKET_EXAMPLE, answer: QUOTE_EXAMPLE },
    links: {
      readIt: { operationId: 'getQuote', parameters: { id: '$response.body#/data/quoteId' }, description: 'Reads the quote again.' },
      orderIt: { operationId: 'createOrder', requestBody: { quoteId: '$response.body#/data/quoteId' }, description: 'Orders it.' },
    },
  },
  read: {
    id: 'getQuote',
    tag: 'Quotes',
    summary: 'A quote, also when it has expired or was ordered',
    params: { id: quoteId },
    answer: QUOTE,
    example: { answer: QUOTE_EXAMPLE },
    links: {
      howItCameToBe: {
        operationId: 'getQuoteBreakdown',
        parameters: { id: '$response.body#/data/quoteId' },
        description: 'Breaks it down.',
      },
    },
  },
  breakdown: {
    id: 'getQuoteBreakdown',
    tag: 'Quotes',
    summary: 'How every figure of a quote came to be',
    description: 'Each amount with its quantity, rate, rounding and rule. The components add up to the quote to the cent.',
    params: { id: quoteId },
    answer: BREAKDOWN,
    example: { answer: BREAKDOWN_EXAMPLE },
  },
} satisfies Record<string, OperationContract>;
