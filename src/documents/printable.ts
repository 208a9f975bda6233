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
/** A letter, with its marks, of a script whose words may break between any two letters (CSS `word-break: break-all`); in others letters join. */
const BREAKABLE =
  /^[\p{scx=Common}\p{scx=Inherited}\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Armenian}\p{scx=Georgian}\p{scx=Ethiopic}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}]+$/u;

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Makes any text safe to print: control characters show as �, nothing turns the direction, long runs may break where their script allows it.
 * @param breaks false: no break is added
 */
export function printableText(text: string, { breaks = true } = {}): string {
  const short = text.length <= LONGEST ? text : `${text.slice(0, LONGEST).replace(/\p{Surrogate}$/u, '')} …`;
  const clean = short
    .replace(BREAKS, '\n')
    .replaceAll('\t', ' ')
    .replace(UNSEEN, '')
    .replace(/[^\P{Cc}\n]|\p{Surrogate}/gu, '\ufffd')
    .replace(HEAPED, '$1');
  return breaks ? clean.replace(LONG_RUN, breakable) : clean;
}

/** Adds spaces of no width, which a reader of the PDF's text sees too. */
function breakable(run: string): string {
  if (SINGLE_LETTERS.test(run)) return run.replace(/.{8}(?=.)/g, '$&\u200b'); // a hundred times as fast
  let text = '';
  let sinceBreak = 0;
  let mayBreak = false;
  for (const { segment } of letters.segment(run)) {
    const isBreakable = BREAKABLE.test(segment);
    if (mayBreak && isBreakable && sinceBreak >= BREAK_AFTER) {
      text += '\u200b';
      sinceBreak = 0;
    }
    text += segment;
    sinceBreak += 1;
    mayBreak = isBreakable;
  }
  return text;
}

/** Plain JSON with each of its texts replaced. */
export function withTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((part) => withTexts(part, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withTexts(part, replace)]));
}

/** Letters of Europe and common signs, which have never crashed the renderer. */
const PLAIN = /^[\n\u0020-\u024f\u2010-\u2027\u2030-\u205e\u20ac\u2212]*$/;

/** The texts in plain JSON, each once, that may crash the renderer. */
export function riskyTexts(value: unknown): string[] {
  const found = new Set<string>();
  withTexts(value, (text) => {
    if (!PLAIN.test(text)) found.add(text);
    return text;
  });
  return [...found];
}
