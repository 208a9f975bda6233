import { isIdentifier, type IdPrefix } from './identifiers';
import { ENVIRONMENTS, type Environment } from './limits';

/** Each environment numbers its own orders, invoices and credit notes. Test numbers begin with a T. */
export const ORDER_NUMBER_PREFIX = { live: 'P', test: 'T' } as const satisfies Record<Environment, string>;
export const INVOICE_NUMBER_PREFIX = { live: 'INV', test: 'TINV' } as const satisfies Record<Environment, string>;
export const CREDIT_NOTE_NUMBER_PREFIX = { live: 'CN', test: 'TCN' } as const satisfies Record<Environment, string>;

export const INVOICE_NUMBER = new RegExp(`^(${INVOICE_NUMBER_PREFIX.live}|${INVOICE_NUMBER_PREFIX.test})-\\d{1,15}$`);

const CREDIT_NOTE_NUMBER = new RegExp(`^(${CREDIT_NOTE_NUMBER_PREFIX.live}|${CREDIT_NOTE_NUMBER_PREFIX.test})-\\d{1,15}$`);

type IdOrNumber = { id: string } | { number: string };

/** Parses an id or a number; null for other text. */
function parseReference(prefix: IdPrefix, number: RegExp, text: string): IdOrNumber | null {
  if (isIdentifier(prefix, text)) return { id: text };
  return number.test(text) ? { number: text } : null;
}
export const parseInvoiceReference = (text: string): IdOrNumber | null => parseReference('inv', INVOICE_NUMBER, text);
export const parseCreditNoteReference = (text: string): IdOrNumber | null => parseReference('crn', CREDIT_NOTE_NUMBER, text);

/** A remake's number is its original's number, this infix and a count: `P-10001-R1`. */
const REMAKE_INFIX = '-R';

export const remakeNumber = (orderNumber: string, sequence: number): string => `${orderNumber}${REMAKE_INFIX}${sequence}`;

export const ORDER_NUMBER = new RegExp(
  `^(${ORDER_NUMBER_PREFIX.live}|${ORDER_NUMBER_PREFIX.test})-\\d{1,15}(${REMAKE_INFIX}[1-9]\\d{0,2})?$`,
);

/** True if a text, typed or scanned, is an order number. */
export const isOrderNumber = (text: string): boolean => ORDER_NUMBER.test(text.trim().toUpperCase());

/** Records that each environment numbers in rising order. */
export type NumberedKind = 'order' | 'invoice' | 'credit_note';

const NUMBER_KIND_BY_PREFIX: ReadonlyMap<string, Pick<ParsedNumber, 'of' | 'environment'>> = new Map(
  ENVIRONMENTS.flatMap((environment): [string, Pick<ParsedNumber, 'of' | 'environment'>][] => [
    [ORDER_NUMBER_PREFIX[environment], { of: 'order', environment }],
    [INVOICE_NUMBER_PREFIX[environment], { of: 'invoice', environment }],
    [CREDIT_NOTE_NUMBER_PREFIX[environment], { of: 'credit_note', environment }],
  ]),
);

/** The kind and environment of the numbers with this prefix. */
export const numberKindOf = (prefix: string): Pick<ParsedNumber, 'of' | 'environment'> | undefined => NUMBER_KIND_BY_PREFIX.get(prefix);

/** A parsed number. The number of a remake contains the digits of its original and a count. */
interface ParsedNumber {
  of: NumberedKind;
  environment: Environment;
  figures: number;
  remake: { original: string; sequence: number } | null;
}

const NUMBER_PARTS = new RegExp(`^([A-Z]+)-(\\d{1,15})(?:${REMAKE_INFIX}([1-9]\\d{0,2}))?$`);

/** Parses a number of any kind; null for other text. */
export function parseNumber(text: string): ParsedNumber | null {
  const [, prefix = '', figures = '', sequence] = NUMBER_PARTS.exec(text) ?? [];
  const kind = numberKindOf(prefix);
  if (kind === undefined) return null;
  if (sequence === undefined) return { ...kind, figures: Number(figures), remake: null };
  return kind.of === 'order'
    ? { ...kind, figures: Number(figures), remake: { original: `${prefix}-${figures}`, sequence: Number(sequence) } }
    : null;
}
