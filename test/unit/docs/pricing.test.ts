import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../scripts/start/project';
import { FIRST_PRICE_BOOK } from '../../../src/db/seed/price-book';
import { RULES } from '../../../src/domain/pricing/rules';
import { readPage } from './markdown';

const PRICING = readPage('docs/pricing.md');
const { print, tornEdge, sleeves, mouldings, mats, raisedFloat, glazing, backing, canvas, rush, products, ...book } = FIRST_PRICE_BOOK;

const percent = (bps: number): string => `${bps / 100} %`;
const listed = (rates: Readonly<Record<string, number>>): string[] => Object.entries(rates).map(([name, cents]) => `${name} ${cents}`);

/** What each row of the first book's table must say. */
const FIGURES: Record<string, string[]> = {
  papers: Object.entries(print.classes).map(([name, rate]) => `${name} ${rate?.centsPerSqm}, at least ${rate?.minimumCents}`),
  'torn edge': [`${tornEdge.feeMinimumCents}`, percent(tornEdge.feeBps)],
  sleeves: listed(sleeves.centsByCode),
  mouldings: [
    `${Math.min(...Object.values(mouldings.centsPerMetreById))} to ${Math.max(...Object.values(mouldings.centsPerMetreById))}`,
    `${percent(mouldings.wasteBps)} waste`,
    `up to ${mouldings.roundUpToMm} mm`,
    `join ${mouldings.joinCents}`,
  ],
  mats: [
    `${mats.defaultCentsPerSqm}, cut ${mats.cutCents}, caption window ${mats.captionCents}`,
    `${mats.minimumMm} mm a side`,
    `${mats.defaultMm} mm where`,
  ],
  'raised float': [
    `6 mm ${raisedFloat.riserCentsPerMetre['6']}, of 10 mm ${raisedFloat.riserCentsPerMetre['10']}`,
    `at least ${raisedFloat.revealMinimumMm} mm, ${raisedFloat.revealDefaultMm} mm`,
  ],
  glazing: Object.values(glazing.centsPerSqmById).map(String),
  'backing, assembly': [`${backing.defaultCentsPerSqm}`, `${book.assemblyCents}`],
  canvas: [...listed(canvas.barCentsPerMetre), ...Object.values(canvas.finishCentsPerSqm).map(String)],
  ladder: (products['fine-art-printing']?.ladder ?? []).map(({ fromQuantity, reductionBps }) => `${fromQuantity} ${percent(reductionBps)}`),
  rush: Object.values(rush).map(
    (tier) => `${percent(tier.surchargeBps)}, at least ${tier.minimumCents}, ${tier.businessDays} business day`,
  ),
  'standard turnaround': [`${book.standardBusinessDays} business days`],
  'small orders': [`${book.minimumOrderCents}`],
  quantities: Object.values(products).map(({ maxQuantity }) => `${maxQuantity}`),
  calendar: [book.timeZone, book.cutoffTime, book.currency, `÷ ${book.tax.divisor}`],
};

describe('docs/pricing.md', () => {
  const told = new Map(PRICING.table('The first book').map(([part = '', figures = '']) => [part, figures]));

  it.each(Object.entries(FIGURES))("has the first book's figures: %s", (part, figures) => {
    const missing = figures
      .map((figure) => figure.replace(/^5 (\d+) %$/, '5 pieces of a line $1 %'))
      .filter((f) => !told.get(part)?.includes(f));
    expect(missing).toEqual([]);
  });

  it('has a row for each of them and no other', () => {
    expect([...told.keys()]).toEqual(Object.keys(FIGURES));
  });

  it('has the rule of every component', () => {
    expect(Object.fromEntries(PRICING.table('Breakdown of a quote'))).toEqual(RULES);
  });

  it('has the golden cases as their test has them', () => {
    const test = readFileSync(path.join(projectRoot, 'test/unit/domain/pricing/golden.test.ts'), 'utf8');
    const figures = PRICING.table('Golden cases').flatMap(([, cell = '']) => cell.match(/\d+/g) ?? []);
    expect(figures.length).toBeGreaterThan(25);
    expect(figures.filter((figure) => !test.includes(figure))).toEqual([]);
  });
});
