import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../scripts/start/project';

const HEADING = /^(#{1,6}) (.+)$/;

/** A page of the documentation in GitHub's format. */
export class MarkdownPage {
  private readonly lines: string[];
  /** Titles of its headings. */
  readonly titles: ReadonlySet<string>;
  /** Anchors for links. */
  readonly anchors: ReadonlySet<string>;

  constructor(readonly text: string) {
    this.lines = withoutFences(text).split('\n');
    const titles = this.lines.flatMap((line) => HEADING.exec(line)?.[2] ?? []);
    this.titles = new Set(titles);
    this.anchors = new Set(anchorsOf(titles));
  }

  /** The lines below a heading, up to the next heading of any level; empty if the heading does not exist. */
  textBelow(title: string): string[] {
    const start = this.lines.findIndex((line) => HEADING.exec(line)?.[2] === title);
    if (start === -1) return [];
    const end = this.lines.findIndex((line, at) => at > start && HEADING.test(line));
    return this.lines.slice(start + 1, end === -1 ? undefined : end);
  }

  /** Numbers of the list below a heading. */
  listNumbers(title: string): number[] {
    return this.textBelow(title).flatMap((line) => (/^\d+\. /.test(line) ? [Number.parseInt(line, 10)] : []));
  }

  /** Cells of the `nth` table below a heading, without its head; code marks taken off. */
  table(title: string, nth = 0): string[][] {
    return this.findTable(title, nth).slice(2);
  }

  /** Column titles of the first table below a heading. */
  tableHead(title: string): string[] {
    return this.findTable(title, 0)[0] ?? [];
  }

  private findTable(title: string, nth: number): string[][] {
    const tables: string[][][] = [];
    let isInTable = false;
    for (const line of this.textBelow(title)) {
      const isRow = line.startsWith('|');
      if (isRow && !isInTable) tables.push([]);
      if (isRow) tables.at(-1)?.push(cellsOf(line));
      isInTable = isRow;
    }
    const rows = tables[nth];
    if (rows === undefined) throw new Error(`there is no table ${nth} below "${title}"`);
    return rows;
  }
}

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
/** A small number in words. */
export const numberInWords = (count: number): string => NUMBERS[count] ?? String(count);

export const readPage = (file: string): MarkdownPage => new MarkdownPage(readFileSync(path.join(projectRoot, file), 'utf8'));

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('`', ''));

/** Ignores `#` in fenced blocks. */
const withoutFences = (text: string): string => text.replace(/^ *```[^]*?^ *```$/gm, '');

function anchorsOf(titles: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return titles.map((title) => {
    const plain = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const before = seen.get(plain) ?? 0;
    seen.set(plain, before + 1);
    return before === 0 ? plain : `${plain}-${before}`;
  });
}
