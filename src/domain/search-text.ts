import { isIdentifier, type IdPrefix } from './identifiers';
import type { Environment } from './limits';
import { ORDER_NUMBER_PREFIX } from './order-number';

/** What a search for orders asks for: one id as a whole, how an order's number begins, or any part of what orders are known by. */
export type SearchedFor = { id: string } | { numberFrom: string } | { text: string };

const IDS: readonly IdPrefix[] = ['ord', 'quo', 'inv', 'acc'];
/** Trigrams need so many. */
const SHORTEST_TEXT = 3;

/** How `q` is to be understood in an environment; null: it is too short for a text, and begins no order's number. */
export function readSearch(q: string, environment: Environment): SearchedFor | null {
  const given = q.trim();
  if (IDS.some((prefix) => isIdentifier(prefix, given))) return { id: given };
  if (isLongEnough(given)) return { text: given };
  const [whole, letter, figures = ''] = /^(?:([PT])-?)?(\d*)$/i.exec(given) ?? [];
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
    .replace(WRITTEN_OTHERWISE, (letter) => OTHERWISE[letter] ?? letter);
  return /[^\p{ASCII}]/u.test(plain) || plain.replace(/[^a-z0-9]/gi, '').length >= SHORTEST_TEXT;
}

/** Letters that are no other letter with an accent, as `search_form` in the database writes them. */
const OTHERWISE: Readonly<Record<string, string>> = {
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
const WRITTEN_OTHERWISE = new RegExp(`[${Object.keys(OTHERWISE).join('')}]`, 'gu');
