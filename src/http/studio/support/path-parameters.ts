import { ATTENTION_CODES } from '../../../domain/attention';
import { STORED_SECTIONS } from '../../../domain/catalogue';
import * as json from '../../openapi/json';
import type { Parameter } from '../../openapi/operation';
import {
  ACCOUNT_EXAMPLE,
  DELIVERY_EXAMPLE,
  ENDPOINT_EXAMPLE,
  INVOICE_ROW_EXAMPLE,
  KEY_EXAMPLE,
  ORDER_ROW_EXAMPLE,
  TOKEN_EXAMPLE,
} from './examples';

const named = (description: string, example: string): Parameter => ({ schema: json.string(), description, example });

/** The names in the paths. */
export const ID = {
  session: named('of the session', 'ses_4be1'),
  token: named('of the token', TOKEN_EXAMPLE.id),
  account: named('of the account', ACCOUNT_EXAMPLE.id),
  key: named('of the key', KEY_EXAMPLE.id),
  endpoint: named('of the endpoint', ENDPOINT_EXAMPLE.id),
  delivery: named('of the delivery', DELIVERY_EXAMPLE.id),
  order: named('of the order: its id, or its number such as P-10001', ORDER_ROW_EXAMPLE.orderId),
  line: { schema: json.integer(undefined, { minimum: 0 }), description: 'of the line, from 0', example: 0 },
  milestone: named('as it was sent', 'press-7-1041'),
  invoice: named('of the invoice, or its number', INVOICE_ROW_EXAMPLE.invoiceNumber),
  creditNote: named('of the credit note, or its number', 'CN-10001'),
  parcel: named('as it was sent', 'p-1'),
  payment: named('as it was sent', 'bank-2026-03-05-7'),
  attention: { schema: json.oneOf(ATTENTION_CODES), description: 'what needed a person', example: 'SIGNAL_REFUSED' },
  row: named('of the row: its id, slug or sizeCode', 'A4'),
  section: { schema: json.oneOf(STORED_SECTIONS), description: 'of the catalogue', example: 'sleeves' },
  version: { schema: json.integer(), description: 'of the book', example: 1 },
} satisfies Record<string, Parameter>;
