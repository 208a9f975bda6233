import { isIdentifier, type IdPrefix } from './identifiers';
import { ENVIRONMENTS, type Environment } from './limits';

/** Each environment numbers its own orders, invoices and credit notes. Test numbers begin with a T. */
export const ORDER_NUMBER_PREFIX = { live: 'P', test: 'T' } as const satisfies Record<Environment, string>;
export const INVOICE_NUMBER_PREFIX = { live: 'INV', test: 'TINV' } as const satisfies Record<Environment, string>;
export const CREDIT_NOTE_NUMBER_PREFIX = { live: 'CN', test: 'TCN' } as const satisfies Record<Environment, string>;

export type IdOrNumber = { id: string } | { number: string };

/** Parses an id or a typed number; null for other text. Digits alone are a live number. */
function parseReference(prefix: IdPrefix, of: NumberedKind, text: string): IdOrNumber | null {
  if (isIdentifier(prefix, text)) return { id: text };
  const number = readNumber(of, text, 'live');
  return number === null ? null : { number };
}
export const parseOrderReference = (text: string): IdOrNumber | null => parseReference('ord', 'order', text);
export const parseInvoiceReference = (text: string): IdOrNumber | null => parseReference('inv', 'invoice', text);
export const parseCreditNoteReference = (text: string): IdOrNumber | null => parseReference('crn', 'credit_note', text);

/** A remake's number is its original's number, this infix and a count: `P-10001-R1`. */
const REMAKE_INFIX = '-R';

export const remakeNumber = (orderNumber: string, sequence: number): string => `${orderNumber}${REMAKE_INFIX}${sequence}`;

const ORDER_NUMBER = new RegExp(`^(${ORDER_NUMBER_PREFIX.live}|${ORDER_NUMBER_PREFIX.test})-\\d{1,15}(${REMAKE_INFIX}[1-9]\\d{0,2})?$`);

/** True if a text, typed or scanned, is a whole order number with its hyphen. */
export const isOrderNumber = (text: string): boolean => ORDER_NUMBER.test(plainNumber(text));

/** In capitals with plain hyphens, because phones and word processors type others. */
const plainNumber = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\p{Pd}\u00ad\u2043\u2212]/gu, '-')
    .replace(/[\p{Cf}]/gu, '')
    .trim()
    .toUpperCase();

/** Records that each environment numbers in rising order. */
export type NumberedKind = 'order' | 'invoice' | 'credit_note';

const PREFIXES: Record<NumberedKind, Record<Environment, string>> = {
  order: ORDER_NUMBER_PREFIX,
  invoice: INVOICE_NUMBER_PREFIX,
  credit_note: CREDIT_NOTE_NUMBER_PREFIX,
};

const NUMBER_KIND_BY_PREFIX: ReadonlyMap<string, Pick<ParsedNumber, 'of' | 'environment'>> = new Map(
  (Object.keys(PREFIXES) as NumberedKind[]).flatMap((of) =>
    ENVIRONMENTS.map((environment) => [PREFIXES[of][environment], { of, environment }] as const),
  ),
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

const TYPED_NUMBER = /^(?:([A-Z]+)[ -]*)?(\d{1,15})(?:[ -]*R([1-9]\d{0,2}))?$/;

/**
 * Reads a number as people type it, such as `p10041` or `P 10041`: in any case, with any hyphen, spaces or nothing between its parts. Digits
 * alone are a number of `environment`, or of no record if it is null. Null for other text.
 */
export function readNumber(of: NumberedKind, text: string, environment: Environment | null): string | null {
  const [, typed, figures, sequence] = TYPED_NUMBER.exec(plainNumber(text)) ?? [];
  const prefix = typed ?? (environment === null ? '' : PREFIXES[of][environment]);
  if (figures === undefined || numberKindOf(prefix)?.of !== of || (sequence !== undefined && of !== 'order')) return null;
  return sequence === undefined ? `${prefix}-${figures}` : remakeNumber(`${prefix}-${figures}`, Number(sequence));
}
