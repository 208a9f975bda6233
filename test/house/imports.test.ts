import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../dev/project';
import { importsOf, sourceFiles, targetOf, type Import } from './imports';
import { HTTP_BEGINS_TRANSACTIONS, layerOf, LAYERS } from './layers';
import { PLANTED } from './planted-imports';

/** Whether one line of a row lets an import through. */
function allows(line: string, target: string, typeOnly: boolean): boolean {
  const named = line.replace(/^type /, '');
  if (named !== line && !typeOnly) return false;
  if (named.endsWith('*')) return target.startsWith(named.slice(0, -1));
  return target === named || layerOf(target) === named;
}

/** What a file may not import, each in words; a file that no row holds may import nothing and not even be there. */
function breaches(file: string, imports: Import[]): string[] {
  const layer = layerOf(file);
  if (layer === undefined) return [`${file} is in no row of test/house/layers.ts`];
  return imports
    .map((one) => ({ target: targetOf(file, one), typeOnly: one.typeOnly }))
    .filter(({ target, typeOnly }) => layerOf(target) !== layer && !LAYERS[layer]?.some((line) => allows(line, target, typeOnly)))
    .map(({ target, typeOnly }) => `${file} imports ${typeOnly ? 'a type of ' : ''}${target}`);
}

const house = sourceFiles().map((file) => ({ file, imports: importsOf(readFileSync(path.join(projectRoot, file), 'utf8'), file) }));

describe('the walls of the house', () => {
  it('every file is in a row, and imports only what its row names', () => {
    expect(house.length).toBeGreaterThan(400);
    expect(house.flatMap(({ file, imports }) => breaches(file, imports))).toEqual([]);
  });

  it.each(Object.keys(LAYERS))('every line of the row %s is used', (layer) => {
    const used = house
      .filter(({ file }) => layerOf(file) === layer)
      .flatMap(({ file, imports }) => imports.map((one) => ({ target: targetOf(file, one), typeOnly: one.typeOnly })));
    const uses = (line: string) =>
      used.some(({ target, typeOnly }) => allows(line, target, typeOnly) && (line.startsWith('type ') || !typeOnly));
    expect(LAYERS[layer]?.filter((line) => !uses(line))).toEqual([]);
    expect(house.some(({ file }) => layerOf(file) === layer)).toBe(true);
  });
});

it('TypeORM stands behind the face of the database, and is nowhere else', () => {
  const knowing = house.filter(({ file, imports }) => imports.some((one) => targetOf(file, one) === 'typeorm')).map(({ file }) => file);
  expect(knowing.filter((file) => !file.startsWith('migrations/') && !file.startsWith('test/'))).toEqual([
    'src/db/data-source.ts',
    'src/db/database.ts',
  ]);
});

describe('a transaction is begun by HTTP', () => {
  const begins = (source: string): boolean =>
    /(?:\.|\[['"`])(?:transaction|snapshot)\b|\{[^{}]*\b(?:transaction|snapshot)\b[^{}]*\}\s*=\s/.test(source);

  it('where the table says, and nowhere else', () => {
    const files = house.map(({ file }) => file).filter((file) => file.startsWith('src/http/'));
    expect(files.filter((file) => begins(readFileSync(path.join(projectRoot, file), 'utf8')))).toEqual(HTTP_BEGINS_TRANSACTIONS);
  });

  it.each([
    'await deps.database.transaction((sql) => forget(sql));',
    'await deps.database.transaction<void>(forget);',
    `await deps.database['snapshot'](read);`,
    'const { transaction } = deps.database;',
    'const { transaction: run } = deps.database;',
  ])('is found: %s', (source) => {
    expect(begins(source)).toBe(true);
  });
});

describe('an import that a row does not name is found', () => {
  it.each(PLANTED)('$file: $source', ({ file, source, reaches }) => {
    expect(breaches(file, importsOf(source))).toEqual([`${file} imports ${reaches}`]);
  });

  it('of every row, from every row that may not', () => {
    expect(Object.keys(LAYERS).filter((layer) => !PLANTED.some(({ file }) => layerOf(file) === layer))).toEqual([]);
    const missed = Object.entries(LAYERS).flatMap(([layer, lines]) =>
      Object.keys(LAYERS)
        .filter((other) => other !== layer && !lines.some((line) => allows(line, anyFileOf(other), false)))
        .filter((other) => breaches(anyFileOf(layer), [{ specifier: wayTo(other, layer), typeOnly: false }]).length === 0)
        .map((other) => `${layer} → ${other}`),
    );
    expect(missed).toEqual([]);
  });

  it.each(['src/planted.ts', 'lib/planted.ts', 'planted.mjs', 'scripts/planted.mjs', 'src/services/orders/planted.ts'])(
    'a file of no row: %s',
    (file) => {
      expect(breaches(file, [])).toEqual([`${file} is in no row of test/house/layers.ts`]);
    },
  );
});

const anyFile = new Map(house.toReversed().map(({ file }) => [layerOf(file), file]));

function anyFileOf(layer: string): string {
  return anyFile.get(layer) ?? layer;
}

function wayTo(other: string, layer: string): string {
  const way = path.posix.relative(path.posix.dirname(anyFileOf(layer)), anyFileOf(other));
  return way.startsWith('.') ? way : `./${way}`;
}

describe('imports are read as they are written', () => {
  it.each([
    [`import { a,\n  b } from './one';`, './one', false],
    [`import './one';`, './one', false],
    [`import one, { type T } from './one';`, './one', false],
    [`import type { T } from './one';`, './one', true],
    [`import { type T, type U } from './one';`, './one', true],
    [`export * from './one';`, './one', false],
    [`export type * from './one';`, './one', true],
    [`export { a, type T } from './one';`, './one', false],
    [`export { type T } from './one';`, './one', true],
    [`const one = require('./one');`, './one', false],
    ['const one = require(`./one`);', undefined, false],
    [`const one = () => require.resolve('./one');`, './one', false],
    [`const one = module.require('./one');`, './one', false],
    [`const one = module['require']('./one');`, './one', false],
    [`const one = process.getBuiltinModule('fs');`, 'fs', false],
    [`const one = process.getBuiltinModule(named);`, undefined, false],
    [`class A { async b() { return (await import('./one')).default; } }`, './one', false],
    [`const one = import(where);`, undefined, false],
    [`type T = import('./one').T;`, './one', true],
    [`import one = require('./one');`, './one', false],
  ])('%s', (source, specifier, typeOnly) => {
    expect(importsOf(source)).toEqual([{ specifier, typeOnly }]);
  });

  it.each([
    ['a comment', `// import './one'\n/* require('./one') */ export const a = 1;`],
    ['a string', `export const a = "import './one'";`],
  ])('not in %s', (_where, source) => {
    expect(importsOf(source)).toEqual([]);
  });

  it.each([
    ['src/http/planted.ts', './cursor', 'src/http/cursor.ts'],
    ['workflows/planted.ts', '../src/storage', 'src/storage/index.ts'],
    ['src/db/planted.ts', 'crypto', 'node:crypto'],
    ['src/db/planted.ts', 'node:fs/promises', 'node:fs'],
    ['src/db/planted.ts', 'pg', 'pg'],
    ['bench/planted.ts', '@temporalio/common/lib/time', '@temporalio/common'],
    ['src/db/planted.ts', './nothing', 'src/db/nothing, which is not there'],
  ])('from %s, %s is %s', (file, specifier, target) => {
    expect(targetOf(file, { specifier, typeOnly: false })).toBe(target);
  });
});
