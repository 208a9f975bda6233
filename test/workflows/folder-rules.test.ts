import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../src/dev/project';

interface Import {
  file: string;
  /** A package, or a path below the project. */
  target: string;
}

const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
const DYNAMIC = /\b(?:import|require)\(\s*['"]([^'"]+)['"]\s*\)(?!\.)/g;
const TYPES_ONLY = /^(?:import|export)\s+\{(?:\s*type\s[^,}]+,?)+\s*\}\s+from\s+['"][^'"]+['"]/gm;

/** Every value import in a folder; what is only a type is gone when the code runs. */
function importsBelow(folder: string): Import[] {
  const files = readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return files.flatMap((name) => {
    const file = path.posix.join(folder, name.split(path.sep).join('/'));
    return valueImports(readFileSync(path.join(projectRoot, file), 'utf8')).map((specifier) => ({
      file,
      target: specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : specifier,
    }));
  });
}

function valueImports(source: string): string[] {
  const code = source.replaceAll(TYPES_ONLY, '');
  return [...code.matchAll(IMPORT), ...code.matchAll(DYNAMIC)].map(([, specifier]) => specifier ?? '');
}

const breaking = (imports: Import[], allowed: RegExp) =>
  imports.filter(({ target }) => !allowed.test(target)).map(({ file, target }) => `${file} imports ${target}`);

describe('folder rules', () => {
  it('reads imports as they are written', () => {
    expect(
      valueImports(
        [
          `import { a,\n  b } from './one';`,
          `import './two';`,
          `import type { T } from './three';`,
          `import { type T, type U } from './four';`,
          `import { c, type V } from './five';`,
          `export * from './six';`,
          `const x = require('seven');`,
          `type W = import('eight').W;`,
        ].join('\n'),
      ),
    ).toEqual(['./one', './two', './five', './six', 'seven']);
  });

  it('src/domain imports only itself', () => {
    const imports = importsBelow('src/domain');
    expect(imports.length).toBeGreaterThan(20);
    expect(breaking(imports, /^src\/domain\//)).toEqual([]);
  });

  it("workflows import only workflows, the domain and the SDK's deterministic packages", () => {
    const imports = importsBelow('workflows');
    expect(imports.length).toBeGreaterThan(10);
    expect(breaking(imports, /^workflows\/|^src\/domain\/|^@temporalio\/(workflow|common)$/)).toEqual([]);
  });
});
