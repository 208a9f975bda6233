import { isIdentifier, type IdPrefix } from './identifiers';
import { ENVIRONMENTS, type Environment } from './limits';

/** Each environment numbers its own orders, invoices and credit notes. Test numbers begin with a T (ruling 8). */
export const ORDER_NUMBER_PREFIX = { live: 'P', test: 'T' } as const satisfies Record<Environment, string>;
export const INVOICE_NUMBER_PREFIX = { live: 'INV', test: 'TINV' } as const satisfies Record<Environment, string>;
export const CREDIT_NOTE_NUMBER_PREFIX = { live: 'CN', test: 'TCN' } as const satisfies Record<Environment, string>;

export const INVOICE_NUMBER = new RegExp(`^(${INVOICE_NUMBER_PREFIX.live}|${INVOICE_NUMBER_PREFIX.test})-\\d{1,15}$`);

const CREDIT_NOTE_NUMBER = new RegExp(`^(${CREDIT_NOTE_NUMBER_PREFIX.live}|${CREDIT_NOTE_NUMBER_PREFIX.test})-\\d{1,15}$`);

type IdOrNumber = { id: string } | { number: string };

/** Parses an id or a number; null for other text (ruling 8). */
function parseReference(prefix: IdPrefix, number: RegExp, text: string): IdOrNumber | null {
  if (isIdentifier(prefix, text)) return { id: text };
  return number.test(text) ? { number: text } : null;
}
export const parseInvoiceReference = (text: string): IdOrNumber | null => parseReference('inv', INVOICE_NUMBER, text);
export const parseCreditNoteReference = (text: string): IdOrNumber | null => parseReference('crn', CREDIT_NOTE_NUMBER, text);

/** A remake's number is its original's number, this infix and a count: `P-10001-R1` (ruling 57). */
const REMAKE_INFIX = '-R';

export const remakeNumber = (orderNumber: string, series: number): string => `${orderNumber}${REMAKE_INFIX}${series}`;

export const ORDER_NUMBER = new RegExp(
  `^(${ORDER_NUMBER_PREFIX.live}|${ORDER_NUMBER_PREFIX.test})-\\d{1,15}(${REMAKE_INFIX}[1-9]\\d{0,2})?$`,
);

/** Whether a text is an order number, typed by a person or read by a scanner. */
export const isOrderNumber = (text: string): boolean => ORDER_NUMBER.test(text.trim().toUpperCase());

/** Records with rising numbers per environment. */
export type NumberedKind = 'order' | 'invoice' | 'credit_note';

const NUMBER_KIND_BY_PREFIX: ReadonlyMap<string, Pick<ParsedNumber, 'of' | 'environment'>> = new Map(
  ENVIRONMENTS.flatMap((environment): [string, Pick<ParsedNumber, 'of' | 'environment'>][] => [
    [ORDER_NUMBER_PREFIX[environment], { of: 'order', environment }],
    [INVOICE_NUMBER_PREFIX[environment], { of: 'invoice', environment }],
    [CREDIT_NOTE_NUMBER_PREFIX[environment], { of: 'credit_note', environment }],
  ]),
);

/** A parsed number. A remake has the figures of its original and its own count. */
interface ParsedNumber {
  of: NumberedKind;
  environment: Environment;
  figures: number;
  remake: { original: string; series: number } | null;
}

const NUMBER_PARTS = new RegExp(`^([A-Z]+)-(\\d{1,15})(?:${REMAKE_INFIX}([1-9]\\d{0,2}))?$`);

/** Parses a number of any kind; null for other text. */
export function parseNumber(text: string): ParsedNumber | null {
  const [, prefix = '', figures = '', series] = NUMBER_PARTS.exec(text) ?? [];
  const kind = NUMBER_KIND_BY_PREFIX.get(prefix);
  if (kind === undefined) return null;
  if (series === undefined) return { ...kind, figures: Number(figures), remake: null };
  return kind.of === 'order'
    ? { ...kind, figures: Number(figures), remake: { original: `${prefix}-${figures}`, series: Number(series) } }
    : null;
}
