import { isIdentifier, type IdPrefix } from './identifiers';
import type { Environment } from './limits';
import { ORDER_NUMBER_PREFIX } from './order-number';

/** What a search for orders asks for: one id as a whole, how an order's number begins, or any part of what orders are known by. */
export type OrderSearch = { id: string } | { numberFrom: string } | { text: string };

const SEARCHABLE_ID_PREFIXES: readonly IdPrefix[] = ['ord', 'quo', 'inv', 'acc'];
/** Trigrams need so many. */
const MIN_TEXT_LENGTH = 3;

/** How `q` is to be understood in an environment; null: it is too short for a text, and begins no order's number. */
export function parseSearch(q: string, environment: Environment): OrderSearch | null {
  const query = q.trim();
  if (SEARCHABLE_ID_PREFIXES.some((prefix) => isIdentifier(prefix, query))) return { id: query };
  if (isLongEnough(query)) return { text: query };
  const [whole, letter, figures = ''] = /^(?:([PT])-?)?(\d*)$/i.exec(query) ?? [];
  const own = ORDER_NUMBER_PREFIX[environment];
  if (whole === undefined || whole === '' || (letter !== undefined && letter.toUpperCase() !== own)) return null;
  return { numberFrom: `${own}-${figures}` };
}

/** What is not ASCII once its accents are gone is written as several letters where it is searched. */
function isLongEnough(text: string): boolean {
  const plain = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(TRANSLITERATED_LETTERS, (letter) => TRANSLITERATIONS[letter] ?? letter);
  return /[^\p{ASCII}]/u.test(plain) || plain.replace(/[^a-z0-9]/gi, '').length >= MIN_TEXT_LENGTH;
}

/** Letters that are no other letter with an accent, as `search_form` in the database writes them. */
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
