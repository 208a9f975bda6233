/** A document with more letters could exceed the renderer's time. */
export const MAX_PRINTED_LETTERS = 400_000;

const OTHER_SCRIPT = /[^\u0000-\u052f\u2000-\u203f]/gu;
const OTHER_SCRIPT_WEIGHT = 10;

/** Counts letters. A letter that the first typeface lacks counts ten times, because the renderer searches the other typefaces. */
export const countLetters = (words: string): number => words.length + (OTHER_SCRIPT_WEIGHT - 1) * (words.match(OTHER_SCRIPT)?.length ?? 0);
