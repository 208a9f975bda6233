import { INVISIBLE } from '../domain/invisible';

const LINE_BREAKS = /\r\n?|[\u000b\u000c\u0085\u2028\u2029]/gu;
/** More combining marks on a letter than any language uses. The extra marks would cover other lines. */
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu;
const LONG_RUN = /[^\s\u200b]{25,}/gu;

/** The maximum length of a printed text, longer than any valid field. Longer texts are cut and end with "…". */
const MAX_LENGTH = 8000;
/** A long run of letters without spaces may break after this many letters. */
const BREAK_AFTER = 8;
/** Latin text without combining marks: each character is one letter. */
const SINGLE_LETTERS = /^[\u0021-\u024f]+$/;
/** A letter with its marks, of a script that may break between any two letters (CSS `word-break: break-all`). */
const BREAKABLE =
  /^[\p{scx=Common}\p{scx=Inherited}\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Armenian}\p{scx=Georgian}\p{scx=Ethiopic}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}]+$/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Makes a text safe to print: prints control characters as �, removes direction marks, and lets long words break if their script allows it.
 * @param breaks false to keep long words unbroken
 */
export function printableText(text: string, { breaks = true } = {}): string {
  const short = text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH).replace(/\p{Surrogate}$/u, '')} …`;
  const clean = short
    .replace(LINE_BREAKS, '\n')
    .replaceAll('\t', ' ')
    .replace(INVISIBLE, '')
    .replace(/[^\P{Cc}\n]|\p{Surrogate}/gu, '\ufffd')
    .replace(STACKED_MARKS, '$1');
  return breaks ? clean.replace(LONG_RUN, addBreaks) : clean;
}

/** Adds zero-width spaces, where the line may break. Text copied from the PDF contains them. */
function addBreaks(run: string): string {
  if (SINGLE_LETTERS.test(run)) return run.replace(/.{8}(?=.)/g, '$&\u200b'); // a hundred times faster than the loop
  let text = '';
  let sinceBreak = 0;
  let mayBreak = false;
  for (const { segment } of graphemes.segment(run)) {
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

/** Returns a copy of JSON data in which each text is replaced. */
export function mapTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((part) => mapTexts(part, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapTexts(part, replace)]));
}

/** European letters and common signs; they have never crashed the renderer. */
const SAFE_TEXT = /^[\n\u0020-\u024f\u2010-\u2027\u2030-\u205e\u20ac\u2212]*$/;

/** Returns the distinct texts in JSON data that may crash the renderer. */
export function findRiskyTexts(value: unknown): string[] {
  const risky = new Set<string>();
  mapTexts(value, (text) => {
    if (!SAFE_TEXT.test(text)) risky.add(text);
    return text;
  });
  return [...risky];
}
