import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Plugin } from 'vite';

const ID = 'virtual:mantine-styles';
const PACKAGES = ['notifications', 'spotlight', 'dates', 'charts'];
const BASE = ['baseline', 'default-css-variables', 'global'];

/** Provides `virtual:mantine-styles`: the styles of the Mantine components that the console uses, half of all. */
export function mantineStyles(folder: string): Plugin {
  return {
    name: 'mantine-styles',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load: (id) => (id === `\0${ID}` ? importsOf(join(folder, 'src'), findModules(folder)) : undefined),
  };
}

function findModules(folder: string): string {
  const found = [folder, join(folder, '..', '..')]
    .map((at) => join(at, 'node_modules', '@mantine'))
    .find((at) => existsSync(join(at, 'core')));
  if (found === undefined) throw new Error('@mantine/core is not installed');
  return found;
}

function importsOf(source: string, mantine: string): string {
  const styles = join(mantine, 'core', 'styles');
  // A component's styles override those of the components inside it, so the order counts.
  const all = readFileSync(join(mantine, 'core', 'styles.css'), 'utf8');
  const position = (name: string): number => all.indexOf(readFileSync(join(styles, `${name}.css`), 'utf8').slice(0, 80));
  const files = [...filesIn(source, '.tsx'), ...PACKAGES.flatMap((name) => filesIn(join(mantine, name, 'esm'), '.mjs'))];
  const names = stylesOf(join(mantine, 'core', 'esm'), files.flatMap(importedFromCore));
  const sorted = [...names].toSorted((one, other) => position(one) - position(other));
  return [...BASE, ...sorted].map((name) => `import '@mantine/core/styles/${name}.css';`).join('\n');
}

const filesIn = (folder: string, extension: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .map((name) => join(folder, name));

const importedFromCore = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/import \{([^}]*)\} from ["']@mantine\/core["']/g)].flatMap(([, names = '']) =>
    names.split(',').map(
      (name) =>
        name
          .replace(/^\s*type /, '')
          .trim()
          .split(' ')[0] ?? '',
    ),
  );

/** The styles of these components and of all components inside them. */
function stylesOf(core: string, names: readonly string[]): Set<string> {
  const styles = new Set<string>();
  const seen = new Set<string>();
  const waiting = names.map((name) => `components/${name}`).filter((folder) => !folder.endsWith('/') && existsSync(join(core, folder)));
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    for (const file of filesIn(join(core, folder), '.mjs')) {
      if (file.endsWith('.module.mjs')) styles.add(basename(file, '.module.mjs'));
      for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from "(\.[^"]*)"/g)) {
        const [inner] = /^(?:components|utils)\/[A-Z]\w*/.exec(relative(core, join(dirname(file), path))) ?? [];
        if (inner !== undefined) waiting.push(inner);
      }
    }
  }
  return styles;
}
