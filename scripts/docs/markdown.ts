/** A Markdown table. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [lineOf(head), `|${'---|'.repeat(head.length)}`, ...rows.map(lineOf)].join('\n');
}

const lineOf = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`;

export const code = (text: string): string => (text === '' ? '' : `\`${text}\``);

export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.:]$/.test(text) ? '' : '.'}`;
