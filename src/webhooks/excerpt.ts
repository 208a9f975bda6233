/** How much of a reply is kept, in bytes. */
export const EXCERPT_BYTES = 8 * 1024;

/** Controls but tab and line feed, and the marks that reorder or hide text on a screen. */
const UNSAFE = /[\x01-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * The first 8 KiB as text that a database stores and a terminal shows without harm: lossy UTF-8, NUL and carriage returns
 * removed, other controls replaced. A character cut at the end is dropped.
 */
export function excerptOf(chunks: readonly Buffer[]): string {
  const bytes = Buffer.concat(chunks).subarray(0, EXCERPT_BYTES);
  const text = new TextDecoder('utf-8').decode(bytes, { stream: bytes.length === EXCERPT_BYTES });
  return text.replace(/[\0\r]/g, '').replace(UNSAFE, '\ufffd');
}
