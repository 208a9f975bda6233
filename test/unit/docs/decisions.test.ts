import { type MarkdownPage, readPage } from './markdown';
import { decisionFiles } from './references';

const DECISIONS = decisionFiles().map((name) => ({ name, page: readPage(`docs/decisions/${name}`) }));
const LIST = readPage('docs/decisions/README.md');

const titleOf = (page: MarkdownPage): string => [...page.titles][0] ?? '';
const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll('/', '')
    .replace(/[^a-z0-9]+/g, '-');

describe('docs/decisions', () => {
  it('is numbered from 1 without gaps', () => {
    expect(DECISIONS.length).toBeGreaterThanOrEqual(81);
    expect(DECISIONS.map(({ name }) => Number.parseInt(name, 10))).toEqual(DECISIONS.map((_decision, at) => at + 1));
  });

  it('names each file after its number and title', () => {
    expect(DECISIONS.map(({ name }) => name.replace(/^0+/, ''))).toEqual(DECISIONS.map(({ page }) => `${slugOf(titleOf(page))}.md`));
  });

  it.each(DECISIONS)('$name has context, decision and consequences', ({ page }) => {
    const sections = [...page.titles].slice(1);
    expect(sections).toEqual(['Context', 'Decision', 'Consequences']);
    expect(sections.filter((section) => page.textBelow(section).join('').trim() === '')).toEqual([]);
  });

  it('lists each decision with its title and a summary', () => {
    const rows = LIST.text.split('\n').filter((line) => /^\| \d+ \|/.test(line));
    const listed = rows.map((row) => /^\| (?<number>\d+) \| \[(?<title>[^\]]+)\]\((?<name>[^)]+)\) \| .+\. \|$/.exec(row)?.groups);
    expect(listed.map((row) => ({ ...row }))).toEqual(
      DECISIONS.map(({ name, page }) => {
        const [number, ...title] = titleOf(page).split('. ');
        return { number, title: title.join('. '), name };
      }),
    );
  });

  it('lists the decisions that are not implemented', () => {
    const unbuilt = DECISIONS.filter(({ page }) => page.text.includes('**Status:**')).map(({ name }) => name);
    const listed = LIST.textBelow('Decided, not built').flatMap((line) => /\]\(([^)]+)\)/.exec(line)?.[1] ?? []);
    expect(listed).toEqual(unbuilt);
  });
});
