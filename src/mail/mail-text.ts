/** Whatever some reader takes for a line break: CR, LF and the other controls, the line and paragraph separators. */
const LINE_BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** A field's text on one line, for a mail's text and headers: or whoever fills in a name could add lines of their own to our mail. */
export function onOneLine(field: string): string {
  return field.replace(LINE_BREAKS, ' ').trim();
}

/** A mail's text of these lines. What a line is made of never breaks it; indents stay. */
export function mailText(lines: readonly string[]): string {
  return lines.map((line) => line.replace(LINE_BREAKS, ' ').trimEnd()).join('\n');
}
