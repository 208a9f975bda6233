/**
 * An absolute URL, or null where `text` is none. Not by `URL.canParse`: up to Node 20 it answers false, once it has been called often
 * enough to be compiled, for whatever has a letter such as "ü" (V8's fast calls hand over Latin-1 where UTF-8 is read).
 */
export function readUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
