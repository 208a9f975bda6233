import { isIdentifier, type IdPrefix } from './identifiers';
import type { Environment } from './limits';
import { INVOICE_NUMBER_PREFIX, numberKindOf, ORDER_NUMBER_PREFIX, type NumberedKind } from './order-number';

// Each text here is in the form of the database function `search_form`, as are the stored texts.

/** A part of a search: any of these alternatives, each a list of LIKE patterns that must all match. */
export type SearchTerm = readonly (readonly string[])[];

/** A search for orders: a whole id, the start of an order number, or terms that must all match. */
export type OrderSearch = { id: string } | { numberFrom: string } | { terms: readonly SearchTerm[] };

const SEARCHABLE_ID_PREFIXES: readonly IdPrefix[] = ['ord', 'quo', 'inv', 'acc'];
/** The shortest text that trigrams can find. */
const MIN_TEXT_LENGTH = 3;

/** Interprets a text in an environment; null if it is too short for a search and not the start of a number. */
export function parseSearch(form: string, environment: Environment): OrderSearch | null {
  const text = form.trim();
  if (SEARCHABLE_ID_PREFIXES.some((prefix) => isIdentifier(prefix, text))) return { id: text };
  if (countLetters(text) >= MIN_TEXT_LENGTH) return { terms: searchTerms(text) };
  const [whole, letter, figures = ''] = /^(?:([pt])-?)?(\d*)$/.exec(text) ?? [];
  const own = ORDER_NUMBER_PREFIX[environment];
  if (whole === undefined || whole === '' || (letter !== undefined && letter.toUpperCase() !== own)) return null;
  return { numberFrom: `${own}-${figures}` };
}

/** The start of a number, such as `INV-100`. */
export interface NumberStart {
  of: NumberedKind;
  start: string;
}

/** Interprets a text as the start of a number in an environment: of an invoice if it has no letters. Null for any other text. */
export function parseNumberStart(form: string, environment: Environment): NumberStart | null {
  const own = INVOICE_NUMBER_PREFIX[environment];
  const [whole, letters = own, figures = ''] = /^(?:([A-Z]+)-?)?(\d{0,15})$/.exec(form.trim().toUpperCase()) ?? [];
  const kind = numberKindOf(letters);
  if (whole === undefined || whole === '' || kind?.environment !== environment) return null;
  return { of: kind.of, start: `${letters}-${figures}` };
}

/** Letters and digits. A letter beyond ASCII is replaced by several. */
const countLetters = (text: string): number => text.replace(/[^a-z0-9]/g, '').length;

/** Words in any order. Figures with spaces between them can also be one phone number. */
export function searchTerms(form: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  const words = form.trim().split(' ');
  for (let at = 0; at < words.length;) {
    const end = words.findIndex((word, index) => index >= at && !PHONE_PART.test(word));
    const figures = words.slice(at, end < 0 ? words.length : end);
    const withPhone = phoneReadings(figures);
    if (withPhone.length > 0) terms.push([figures.flatMap(patternsOf), ...withPhone]);
    const single = withPhone.length === 0 ? [words[at] ?? ''] : [];
    terms.push(...single.flatMap(patternsOf).map((pattern): SearchTerm => [[pattern]]));
    at += withPhone.length === 0 ? 1 : figures.length;
  }
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()];
}

const AMOUNT = /^\d+\.\d\d?$/;
/** A word of a phone number, as people write it. */
const PHONE_PART = /^[\d+()./-]+$/;
const CALLING_CODE = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;
/** Shorter ones match too many other numbers. */
const MIN_PHONE_DIGITS = 6;

/** With more figures, only all of them together can be a phone number: the readings grow with the square of their number. */
const MAX_FIGURES_TO_SPLIT = 5;

/** The readings of these figures in which some neighbours are one phone number. It begins as numbers do, or with the first figures. */
function phoneReadings(figures: readonly string[]): string[][] {
  const all: [number, number][] = [[0, figures.length]];
  const starts = figures.flatMap((first, from) => (from === 0 || /^[+(0]/.test(first) ? [from] : []));
  const parts = starts.flatMap((from) => figures.slice(from).map((_, length): [number, number] => [from, from + length + 1]));
  return (figures.length > MAX_FIGURES_TO_SPLIT ? all : parts).flatMap(([from, to]) => {
    const digits = phoneDigits(figures.slice(from, to).join(''));
    const others = [...figures.slice(0, from), ...figures.slice(to)];
    return digits === null ? [] : [[...others.flatMap(patternsOf), `%${digits}%`]];
  });
}

/** The digits after the country's calling code and the leading 0, which stored numbers have with or without these. Null if too few. */
function phoneDigits(figures: string): string | null {
  const [, abroad, rest = ''] = /^(00(?:11)?|\+)?(\d*)$/.exec(figures.replace('(0)', '').replace(/[^\d+]/g, '')) ?? [];
  const digits = (abroad === undefined ? rest : rest.replace(CALLING_CODE, '')).replace(/^0+/, '');
  return digits.length >= MIN_PHONE_DIGITS && !AMOUNT.test(figures) ? digits : null;
}

function patternsOf(typed: string): string[] {
  const word = typed.replace(/^["'(,;:.]+/, '').replace(/(?<!["'),;:.])["'),;:.]+$/, '');
  return countLetters(word) > 0 ? [patternOf(word)] : [];
}

/** One or two letters match the start of a word, which trigrams can find, and so does an amount, because 84.25 is not part of 184.25. */
function patternOf(word: string): string {
  const isStart = countLetters(word) < MIN_TEXT_LENGTH || AMOUNT.test(word);
  return `%${isStart ? ' ' : ''}${word.replace(/[\\%_]/g, String.raw`\$&`)}%`;
}
