import { formatAddress } from 'localized-address-format';

/** Addresses in this country are printed without its name. */
export const STUDIO_COUNTRY = 'AU';

/** A shipping address, without phone and e-mail. */
export interface PostalAddress {
  name: string;
  company?: string | null;
  line1: string;
  line2?: string | null;
  city: string;
  state: string;
  postcode: string;
  country: string;
}

type Part = 'name' | 'street' | 'city' | 'state' | 'postcode';

/** Private characters that stand for the parts in a country's format. */
const MARKS: Record<Part, string> = { name: '\ue000', street: '\ue001', city: '\ue002', state: '\ue003', postcode: '\ue004' };
const PARTS = Object.keys(MARKS) as Part[];
const ANY_MARK = /[\ue000-\ue004]/g;
const LOCALITY = ['city', 'state', 'postcode'] as const;

/** Korean, Japanese and Chinese addresses begin with the largest part, unless they are in Latin letters. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * The lines of an address in the order of its country, as on a parcel, with the name of the country unless it is the studio's. Contains
 * every part that is not blank once: a part that the country's format lacks, such as the state in Germany, has its own line. There, a state
 * that repeats the city is left out.
 */
export function addressLines({ name, company, line1, line2, city, state, postcode, country: code }: PostalAddress): string[] {
  const country = code.trim().toUpperCase();
  const present = (...texts: readonly (string | null | undefined)[]): string[] => texts.filter(isPresent).map((text) => text.trim());
  const values = {
    name: present(name, company),
    street: present(line1, line2),
    city: present(city),
    state: present(state),
    postcode: present(postcode),
  };
  const isLocal = CJK.test([line1, line2, city, state].join(''));
  // A country without states gets the city again as its state, because the field is required.
  const isRepeatedCity = state.trim().toLowerCase() === city.trim().toLowerCase() && lineOf('state', formatOf(country, PARTS, isLocal)) < 0;
  const parts = PARTS.filter((part) => values[part].length > 0 && !(part === 'state' && isRepeatedCity));
  const format = withMissingParts(formatOf(country, parts, isLocal), parts);
  const names = isLargestFirst(format) ? values.name.toReversed() : values.name;
  return [
    ...format.flatMap((line) => (line === MARKS.name ? names : line === MARKS.street ? values.street : fill(line, values))),
    ...(country === STUDIO_COUNTRY ? [] : [countryName(country)]),
  ].filter(isPresent);
}

const isPresent = (text: string | null | undefined): text is string => (text ?? '').trim() !== '';

/** The lines of marks for these parts, without the literals of the format. */
function formatOf(country: string, parts: readonly Part[], isLocal: boolean): string[] {
  const mark = (part: Part): string => (parts.includes(part) ? MARKS[part] : '');
  const isLatinJapan = country === 'JP' && !isLocal;
  const lines = formatAddress(
    {
      // Its format for Japan has no city, because the street contains it. The one of Taiwan has the same order in Latin letters.
      postalCountry: isLatinJapan ? 'TW' : country,
      name: MARKS.name,
      addressLines: parts.includes('street') ? [MARKS.street] : [],
      locality: mark('city'),
      administrativeArea: country === 'JP' && isLocal ? mark('state') + mark('city') : mark('state'),
      postalCode: mark('postcode'),
    },
    isLocal ? 'local' : 'latin',
  );
  const hasCity = lines.some((line) => line.includes(MARKS.city));
  return lines
    .map((line) => withoutLiterals(hasCity ? line : line.replace(/\p{Lu}[\p{L} ]{3,}\p{L}/u, mark('city') || '$&')))
    .filter((line) => PARTS.some((part) => line.includes(MARKS[part])));
}

/** Without the country's letters before a postcode (`CH-8001`) and names such as JERSEY, which the address can contain already. */
const withoutLiterals = (line: string): string =>
  line
    .replace(/\p{L}+-?/gu, '')
    .replace(/ {2,}/g, ' ')
    .replace(/^[ ,-]+|(?<![ ,-])[ ,-]+$/g, '');

const lineOf = (part: Part, lines: readonly string[]): number => lines.findIndex((line) => line.includes(MARKS[part]));

/** True if the name follows another part. */
const isLargestFirst = (lines: readonly string[]): boolean =>
  PARTS.some((part) => lineOf(part, lines) >= 0 && lineOf(part, lines) < lineOf('name', lines));

/** Adds each missing part behind the parts before it. In a format without state and postcode, all are in the line of the city. */
function withMissingParts(lines: readonly string[], parts: readonly Part[]): string[] {
  const complete = [...lines];
  const locality = LOCALITY.filter((part) => parts.includes(part));
  const cityAt = lineOf('city', complete);
  if (cityAt >= 0 && parts.includes('postcode') && lineOf('state', complete) < 0 && lineOf('postcode', complete) < 0)
    return complete.map((line) => line.replace(MARKS.city, locality.map((part) => MARKS[part]).join(' ')));
  for (const part of locality.filter((each) => lineOf(each, complete) < 0)) {
    const before = ['name' as const, 'street' as const, ...locality.slice(0, locality.indexOf(part))];
    const at = isLargestFirst(complete) ? lineOf('street', complete) : 1 + Math.max(...before.map((each) => lineOf(each, complete)));
    complete.splice(Math.max(at, 0), 0, MARKS[part]);
  }
  return complete;
}

const fill = (line: string, values: Record<Part, readonly string[]>): string =>
  line.replace(ANY_MARK, (mark) => values[PARTS.find((part) => MARKS[part] === mark) ?? 'name'].join(', ')).replace(/〒\s*〒/, '〒');

const countryNames = new Intl.DisplayNames('en-AU', { type: 'region' });

function countryName(code: string): string {
  try {
    return countryNames.of(code) ?? code;
  } catch {
    return code; // an erased address may have no valid country code
  }
}
