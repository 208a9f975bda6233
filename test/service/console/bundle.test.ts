import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { projectRoot } from '../../../scripts/start/project';

const DIST = path.join(projectRoot, 'packages', 'console', 'dist');
const KIB = 1024;

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
}

describe('the size of the console, compressed with gzip', () => {
  const chunks = JSON.parse(readFileSync(path.join(DIST, '.vite', 'manifest.json'), 'utf8')) as Record<string, Chunk>;

  /** The files of these modules with everything they import statically. */
  const filesOf = (modules: readonly string[], seen = new Set<string>()): Set<string> => {
    for (const name of modules) {
      const chunk = chunks[name];
      if (chunk === undefined) throw new Error(`${name} is not in the manifest`);
      if (seen.has(chunk.file)) continue;
      for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file);
      filesOf(chunk.imports ?? [], seen);
    }
    return seen;
  };
  const kib = (modules: readonly string[]): number =>
    [...filesOf(modules)].reduce((sum, file) => sum + gzipSync(readFileSync(path.join(DIST, file))).length, 0) / KIB;

  it('has the styles of every Mantine component in its scripts', () => {
    const classesIn = (...files: string[]): Set<string> =>
      new Set(files.flatMap((file) => readFileSync(file, 'utf8').match(/\bm_[0-9a-f]{5,8}\b/g) ?? []));
    const built = Object.values(chunks).flatMap(({ file, css = [] }) => [file, ...css].map((name) => path.join(DIST, name)));
    const styled = classesIn(...built.filter((file) => file.endsWith('.css')));
    const all = classesIn(path.join(projectRoot, 'node_modules', '@mantine', 'core', 'styles.css'));
    const used = [...classesIn(...built.filter((file) => file.endsWith('.js')))].filter((name) => all.has(name));
    expect(used.length).toBeGreaterThan(100);
    expect(used.filter((name) => !styled.has(name))).toEqual([]);
  });

  it('is at most 140 KiB before the sign-in', () => {
    expect(kib(['index.html', 'src/session/SignIn.tsx'])).toBeLessThanOrEqual(140);
  });

  it('is at most 305 KiB for the first screen, whose charts load later', () => {
    const first = ['index.html', 'src/App.tsx', 'src/layout/Frame.tsx', 'src/screens/today/Today.tsx'];
    expect(kib(first)).toBeLessThanOrEqual(305);
    const charts = Object.values(chunks).filter(({ file }) => readFileSync(path.join(DIST, file), 'utf8').includes('recharts-wrapper'));
    expect(charts.length).toBeGreaterThan(0);
    expect(charts.filter(({ file }) => filesOf(first).has(file))).toEqual([]);
  });
});
