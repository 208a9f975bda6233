/** How many bytes of a reply are kept. */
export const EXCERPT_BYTES = 8 * 1024;

/** Control characters except tab and line feed, and marks that reorder or hide text. */
const UNSAFE = /[\x01-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Returns the first 8 KiB as text that is safe to store and to print. Invalid UTF-8 and control characters are replaced, NUL and carriage
 * returns are removed, and a character that is cut at the end is dropped.
 */
export function excerptOf(chunks: readonly Buffer[]): string {
  const bytes = Buffer.concat(chunks).subarray(0, EXCERPT_BYTES);
  const text = new TextDecoder('utf-8').decode(bytes, { stream: bytes.length === EXCERPT_BYTES });
  return text.replace(/[\0\r]/g, '').replace(UNSAFE, '\ufffd');
}
