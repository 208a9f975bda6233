/** Characters that move or hide the text around them, as in documents. Joiners of letters and emoji stay. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Control characters except tab and line feed, and other line ends. */
const CONTROLS = /[^\P{Cc}\n\t]|[\u2028\u2029]/gu;

/** Fields that stay exact: signed texts, and price books, which are edited as text. */
const EXACT_FIELDS: ReadonlySet<string> = new Set(['rawBody', 'book']);

/** Removes characters that change how the text around them is displayed. */
export function stripInvisible(text: string): string {
  return text.replace(CONTROLS, '').replace(INVISIBLE, '');
}

/** Strips every text of an API response. */
export function stripInvisibleFromAnswer<T>(answer: T): T {
  return plainValue(answer) as T;
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'string') return stripInvisible(value);
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, EXACT_FIELDS.has(name) ? part : plainValue(part)]));
}
