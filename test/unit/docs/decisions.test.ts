import { readPage } from './markdown';
import { decisionPages } from './references';

const PAGES = decisionPages();

it('rulings are numbered from 1 without gaps, each once', () => {
  const numbers = PAGES.flatMap(({ rulings }) => rulings).toSorted((one, other) => one - other);
  expect(numbers.length).toBeGreaterThanOrEqual(81);
  expect(numbers).toEqual(numbers.map((_number, at) => at + 1));
});

it.each(PAGES)('$name has its rulings in the order of their numbers, each with its reason', ({ name, rulings }) => {
  expect(rulings).toEqual(rulings.toSorted((one, other) => one - other));
  const page = readPage(`docs/decisions/${name}`);
  const withoutReason = [...page.titles].slice(1).filter((title) => !page.textBelow(title).some((line) => line.startsWith('**Why:** ')));
  expect(withoutReason).toEqual([]);
});

it('the contents list every page with its rulings', () => {
  const rows = readPage('docs/decisions/README.md').table('Decisions');
  const listed = rows.map(([link = '', numbers = '']) => [/\]\((.+)\)/.exec(link)?.[1], numbers.split(', ').map(Number)]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(PAGES.map(({ name, rulings }) => [name, rulings])));
});
