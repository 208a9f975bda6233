import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../scripts/start/project';
import { readPage } from './markdown';

const PRICING = readPage('docs/pricing.md');
describe('docs/pricing.md', () => {
  it('has the golden cases of their test', () => {
    const test = readFileSync(path.join(projectRoot, 'test/unit/domain/pricing/golden.test.ts'), 'utf8');
    const figures = PRICING.table('Golden cases').flatMap(([, cell = '']) => cell.match(/\d+/g) ?? []);
    expect(figures.length).toBeGreaterThan(25);
    expect(figures.filter((figure) => !test.includes(figure))).toEqual([]);
  });
});
