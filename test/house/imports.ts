import { existsSync, readdirSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import {
  parseSync,
  type CallExpression,
  type Expression,
  type Import as DynamicImport,
  type Super,
  type ExportAllDeclaration,
  type ExportNamedDeclaration,
  type ImportDeclaration,
  type TsImportEqualsDeclaration,
  type TsImportType,
} from '@swc/core';
import { projectRoot } from '../../dev/project';

/** One import as it is written: `specifier` is undefined where it is computed. */
export interface Import {
  specifier: string | undefined;
  /** Nothing of it is left when the code runs. */
  typeOnly: boolean;
}

/** The parts of a syntax tree that name another module. */
type Importing =
  | ImportDeclaration
  | ExportNamedDeclaration
  | (ExportAllDeclaration & { typeOnly?: boolean })
  | CallExpression
  | TsImportType
  | TsImportEqualsDeclaration;

const SOURCE = /\.[cm]?[jt]sx?$/;
/** What is made or installed, and what editors and git keep for themselves. */
const NOT_OURS = /^(?:\.|dist$|node_modules$|coverage$)/;

/** Made or installed inside a package of ours. */
const MADE = /\/(?:dist|node_modules)\//;

/** Every source file of the project, by its path below the project with `/`. */
export function sourceFiles(): string[] {
  return readdirSync(projectRoot)
    .filter((name) => !NOT_OURS.test(name))
    .flatMap(filesBelow)
    .filter((file) => SOURCE.test(file));
}

function filesBelow(name: string): string[] {
  if (!statSync(path.join(projectRoot, name)).isDirectory()) return [name];
  const entries = readdirSync(path.join(projectRoot, name), { recursive: true, encoding: 'utf8' });
  return entries.map((entry) => path.posix.join(name, entry.split(path.sep).join('/'))).filter((file) => !MADE.test(file));
}

/**
 * All imports of a module: `import`, `export … from`, `import()`, `require()`, `module.require()`,
 * `process.getBuiltinModule()`, `import x = require()`,
 * `import('x').T`.
 */
export function importsOf(source: string, file = 'source.ts'): Import[] {
  const found: Import[] = [];
  walk(parseSync(source, { syntax: 'typescript', tsx: file.endsWith('x'), target: 'es2022' }).body, (node) => {
    const one = importOf(node as Importing);
    if (one) found.push(one);
  });
  return found;
}

function walk(node: unknown, visit: (node: object) => void): void {
  if (typeof node !== 'object' || node === null) return;
  visit(node);
  for (const child of Object.values(node)) walk(child, visit);
}

function importOf(node: Importing): Import | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      return { specifier: node.source.value, typeOnly: node.typeOnly || onlyTypes(node.specifiers) };
    case 'ExportNamedDeclaration':
      return node.source ? { specifier: node.source.value, typeOnly: node.typeOnly || onlyTypes(node.specifiers) } : undefined;
    case 'ExportAllDeclaration':
      return { specifier: node.source.value, typeOnly: node.typeOnly === true };
    case 'TsImportType':
      return { specifier: node.argument.value, typeOnly: true };
    case 'TsImportEqualsDeclaration':
      return node.moduleRef.type === 'TsExternalModuleReference'
        ? { specifier: node.moduleRef.expression.value, typeOnly: node.isTypeOnly }
        : undefined;
    case 'CallExpression':
      return loads(node.callee) ? { specifier: literal(node), typeOnly: false } : undefined;
    default:
      return undefined;
  }
}

function onlyTypes(specifiers: readonly { type: string; isTypeOnly?: boolean }[]): boolean {
  return specifiers.length > 0 && specifiers.every(({ isTypeOnly }) => isTypeOnly === true);
}

/** What of a global loads a module. */
const LOADERS = ['require', 'require.resolve', 'module.require', 'module.require.resolve', 'process.getBuiltinModule'];

/** `import(…)`, `require(…)`, `module.require(…)`, `process.getBuiltinModule(…)` and their like. */
const loads = (callee: CallExpression['callee']): boolean => callee.type === 'Import' || LOADERS.includes(dotted(callee));

/** `a.b` as it is written, `a['b']` too; with other words in it where it is something else. */
function dotted(node: Expression | Super | DynamicImport): string {
  if (node.type === 'Identifier') return node.value;
  if (node.type !== 'MemberExpression') return `(${node.type})`;
  const { property } = node;
  const name = property.type === 'Computed' ? property.expression : property;
  return `${dotted(node.object)}.${name.type === 'StringLiteral' || name.type === 'Identifier' ? name.value : `(${name.type})`}`;
}

function literal({ arguments: [first] }: CallExpression): string | undefined {
  return first?.expression.type === 'StringLiteral' ? first.expression.value : undefined;
}

/** What an import leads to: a file of the project, `node:<module>`, the name of a package, or words that no row of a table holds. */
export function targetOf(file: string, { specifier }: Import): string {
  if (specifier === undefined) return 'a computed path';
  if (specifier.startsWith('.')) return fileAt(path.posix.join(path.posix.dirname(file), specifier));
  const [first = '', second = ''] = specifier.replace(/^node:/, '').split('/');
  if (isBuiltin(specifier)) return `node:${first}`;
  return first.startsWith('@') ? `${first}/${second}` : first;
}

function fileAt(at: string): string {
  const isFile = (file: string) => existsSync(path.join(projectRoot, file)) && statSync(path.join(projectRoot, file)).isFile();
  // Modules name each other as they are when built.
  return [at, `${at}.ts`, `${at}.tsx`, `${at}/index.ts`, at.replace(/\.js$/, '.ts')].find(isFile) ?? `${at}, which is not there`;
}
