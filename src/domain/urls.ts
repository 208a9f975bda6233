/**
 * An absolute URL, or null. Avoids `URL.canParse`: up to Node 20, once compiled, it returns false for URLs with letters such as "ü" (V8's
 * fast calls pass Latin-1 where UTF-8 is expected).
 */
export function readUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
