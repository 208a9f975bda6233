import { isIdentifier, type IdPrefix } from './identifiers';
import type { Environment } from './limits';
import { INVOICE_NUMBER_PREFIX, numberKindOf, ORDER_NUMBER_PREFIX, type NumberedKind } from './order-number';

/** A search for orders: a whole id, the start of an order number, or part of a searchable text. */
export type OrderSearch = { id: string } | { numberFrom: string } | { text: string };

const SEARCHABLE_ID_PREFIXES: readonly IdPrefix[] = ['ord', 'quo', 'inv', 'acc'];
/** The shortest text that trigrams can find. */
const MIN_TEXT_LENGTH = 3;

/** Interprets `q` in an environment; null if it is too short for a text and not the start of a number. */
export function parseSearch(q: string, environment: Environment): OrderSearch | null {
  const query = q.trim();
  if (SEARCHABLE_ID_PREFIXES.some((prefix) => isIdentifier(prefix, query))) return { id: query };
  if (isLongEnough(query)) return { text: query };
  const [whole, letter, figures = ''] = /^(?:([PT])-?)?(\d*)$/i.exec(query) ?? [];
  const own = ORDER_NUMBER_PREFIX[environment];
  if (whole === undefined || whole === '' || (letter !== undefined && letter.toUpperCase() !== own)) return null;
  return { numberFrom: `${own}-${figures}` };
}

/** The start of a number, such as `INV-100`. */
export interface NumberStart {
  of: NumberedKind;
  start: string;
}

/** Interprets `q` as the start of a number in an environment: of an invoice if it has no letters. Null for any other text. */
export function parseNumberStart(q: string, environment: Environment): NumberStart | null {
  const [whole, letters = INVOICE_NUMBER_PREFIX[environment], figures = ''] = /^(?:([A-Z]+)-?)?(\d{0,15})$/i.exec(q.trim()) ?? [];
  const kind = numberKindOf(letters.toUpperCase());
  if (whole === undefined || whole === '' || kind?.environment !== environment) return null;
  return { of: kind.of, start: `${letters.toUpperCase()}-${figures}` };
}

/** True if the text has enough characters. In the database's search form, a letter beyond ASCII counts as several. */
function isLongEnough(text: string): boolean {
  const plain = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(TRANSLITERATED_LETTERS, (letter) => TRANSLITERATIONS[letter] ?? letter);
  return /[^\p{ASCII}]/u.test(plain) || plain.replace(/[^a-z0-9]/gi, '').length >= MIN_TEXT_LENGTH;
}

/** Letters that are not an accented form of another letter, written as `search_form` in the database does. */
const TRANSLITERATIONS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
};
const TRANSLITERATED_LETTERS = new RegExp(`[${Object.keys(TRANSLITERATIONS).join('')}]`, 'gu');
