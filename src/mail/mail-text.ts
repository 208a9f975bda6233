import { INVISIBLE } from '../domain/invisible';

/** All characters that a mail client may show as a line break: control characters, line and paragraph separators. */
const LINE_BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Returns a field's text on one line, without characters that move or hide text. A name cannot add lines to a mail, or reverse one. */
export function onOneLine(field: string): string {
  return field.replace(LINE_BREAKS, ' ').replace(INVISIBLE, '').trim();
}

/** Joins the lines of a mail. Line breaks within a line become spaces; indents stay. */
export function mailText(lines: readonly string[]): string {
  return lines.map((line) => line.replace(LINE_BREAKS, ' ').replace(INVISIBLE, '').trimEnd()).join('\n');
}
