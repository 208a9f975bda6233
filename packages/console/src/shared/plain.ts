/** What moves or hides the text around it, the same as documents leave out; joiners of letters and of pictures stay. */
const UNSEEN = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Control characters but tab and line feed, and what else ends a line. */
const CONTROLS = /[^\P{Cc}\n\t]|[\u2028\u2029]/gu;

/** What is sent letter by letter, and is shown apart: the text that is signed, and price books, which are worked on as text. */
const AS_THEY_ARE: ReadonlySet<string> = new Set(['rawBody', 'book']);

/** A text of anybody, as it may stand among our own words: nothing in it turns or hides what stands beside it. */
export function plain(text: string): string {
  return text.replace(CONTROLS, '').replace(UNSEEN, '');
}

/** The same of every text of an answer, here and nowhere else: whatever a screen says with them, says what we wrote. */
export function plainAnswer<T>(answer: T): T {
  return plainValue(answer) as T;
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'string') return plain(value);
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, AS_THEY_ARE.has(name) ? part : plainValue(part)]));
}
