import { readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../scripts/start/project';

const SOURCES = ['activities', 'bench', 'migrations', 'packages', 'scripts', 'src', 'test', 'workflows'];
const INSTALLED_OR_BUILT = /(?:^|\/)(?:node_modules|dist|generated)\//;

/** macOS and Windows ignore case, so an import of `./Order` would find `order.ts` before `Order.tsx`. */
it('no two code files of a folder differ only in case', () => {
  const names = SOURCES.flatMap((folder) =>
    readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name.split(path.sep).join('/')}`,
    ),
  ).filter((name) => /\.[cm]?[jt]sx?$/.test(name) && !INSTALLED_OR_BUILT.test(name));
  const spellings = new Map<string, Set<string>>();
  for (const name of names) {
    const module = name.replace(/(?:\.d)?\.[^./]+$/, '');
    const known = spellings.get(module.toLowerCase()) ?? new Set();
    spellings.set(module.toLowerCase(), known.add(module));
  }
  expect(names.length).toBeGreaterThan(1000);
  expect([...spellings.values()].filter(({ size }) => size > 1)).toEqual([]);
});
