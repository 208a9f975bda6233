import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../scripts/start/project';
import { RULES } from '../../../src/domain/pricing/rules';
import { readPage } from './markdown';

const PRICING = readPage('docs/pricing.md');
describe('docs/pricing.md', () => {
  it('has the rule of every component', () => {
    expect(Object.fromEntries(PRICING.table('Breakdown of a quote'))).toEqual(RULES);
  });

  it('has the golden cases of their test', () => {
    const test = readFileSync(path.join(projectRoot, 'test/unit/domain/pricing/golden.test.ts'), 'utf8');
    const figures = PRICING.table('Golden cases').flatMap(([, cell = '']) => cell.match(/\d+/g) ?? []);
    expect(figures.length).toBeGreaterThan(25);
    expect(figures.filter((figure) => !test.includes(figure))).toEqual([]);
  });
});
