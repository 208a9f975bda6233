/** A Markdown table. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [renderRow(head), `|${'---|'.repeat(head.length)}`, ...rows.map(renderRow)].join('\n');
}

const renderRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`;

export const inlineCode = (text: string): string => (text === '' ? '' : `\`${text}\``);
