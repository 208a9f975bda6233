/** What moves or hides the text around it: overrides, isolates and marks of direction, tags, joiners of words. Joiners of letters stay. */
const UNSEEN = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const BREAKS = /\r\n?|[\u000b\u000c\u0085\u2028\u2029]/gu;
/** Marks above and below a letter that no language needs, and that reach into other lines. */
const HEAPED = /(\p{M}{4})\p{M}+/gu;
const LONG_RUN = /[^\s\u200b]{25,}/gu;

/** Longer than any field that is printed; what is cut says so. */
const LONGEST = 8000;
/** A run without a space may break after so many letters. */
const BREAK_AFTER = 8;
/** Each a letter of its own, as in any language of Europe. */
const SINGLE_LETTERS = /^[\u0021-\u024f]+$/;

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Makes any text safe to print: control characters show as �, nothing turns the direction, long runs may break. */
export function printableText(text: string): string {
  const short = text.length <= LONGEST ? text : `${text.slice(0, LONGEST).replace(/\p{Surrogate}$/u, '')} …`;
  return short
    .replace(BREAKS, '\n')
    .replaceAll('\t', ' ')
    .replace(UNSEEN, '')
    .replace(/[^\P{Cc}\n]|\p{Surrogate}/gu, '\ufffd')
    .replace(HEAPED, '$1')
    .replace(LONG_RUN, breakable);
}

/** A space of no width after every so many letters, which a reader of the PDF's text sees too. */
function breakable(run: string): string {
  if (SINGLE_LETTERS.test(run)) return run.replace(/.{8}(?=.)/g, '$&\u200b'); // a hundred times as fast
  const parts = [...letters.segment(run)].map(({ segment }) => segment);
  return parts.map((part, at) => (at > 0 && at % BREAK_AFTER === 0 ? `\u200b${part}` : part)).join('');
}

/** The same of every text in plain JSON. */
export function printable(value: unknown): unknown {
  if (typeof value === 'string') return printableText(value);
  if (Array.isArray(value)) return value.map(printable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, printable(part)]));
}
