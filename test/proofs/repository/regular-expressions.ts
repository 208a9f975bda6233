import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { checkSync } from 'recheck';
import { version } from 'recheck/package.json';
import { projectRoot } from '../../../scripts/start/project';

export interface Expression {
  file: string;
  source: string;
  flags: string;
}

/** TypeScript files below a folder of the project, by their path in it. */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:mjs|tsx?)$/.test(file))
    .map((file) => `${folder}/${file}`)
    .sort();
}

interface SourceExpressions {
  literals: Expression[];
  /** The number of expressions that are created from text with `new RegExp(…)`. */
  constructed: number;
}

/** The regular expressions in a source text. */
export function parseExpressions(file: string, text: string): SourceExpressions {
  const written: SourceExpressions = { literals: [], constructed: 0 };
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, pattern, flags, callee } = node as { type?: string; pattern?: string; flags?: string; callee?: { value?: string } };
    if (type === 'RegExpLiteral') written.literals.push({ file, source: pattern ?? '', flags: flags ?? '' });
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.value === 'RegExp') written.constructed += 1;
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(text, { syntax: 'typescript', tsx: file.endsWith('x'), target: 'es2022' }));
  return written;
}

/** Loads the files in a separate process. Returns the distinct expressions that they created with `RegExp`. */
export function findConstructedOnLoad(files: readonly string[]): Expression[] {
  const program = `
    const { relative } = require('node:path');
    const found = new Map();
    const plain = RegExp;
    const construct = (target, given, newTarget = target) => {
      const made = Reflect.construct(target, given, newTarget);
      const caller = /\\(?(\\/[^:()]+):/.exec(new Error().stack.split('\\n').slice(2).join('\\n'))?.[1] ?? '';
      const file = relative(${JSON.stringify(projectRoot)}, caller);
      if (!/^\\.\\.|^node_modules/.test(file)) found.set(file + made, { file, source: made.source, flags: made.flags });
      return made;
    };
    globalThis.RegExp = new Proxy(RegExp, { construct, apply: (target, _this, given) => construct(target, given) });
    for (const file of ${JSON.stringify(files.map((file) => join(projectRoot, file)))}) require(file);
    globalThis.RegExp = plain;
    process.stdout.write(JSON.stringify([...found.values()]), () => process.exit());`;
  const loader = join(projectRoot, 'test', 'support', 'runner', 'register-swc.cjs');
  return JSON.parse(execFileSync(process.execPath, ['--require', loader, '-e', program], { encoding: 'utf8' })) as Expression[];
}

const CACHE = join(projectRoot, 'node_modules', '.cache', 'trade-print', 'linear-expressions');

/**
 * Why matching takes more than linear time, or null. recheck takes some seconds for an expression, so a file below node_modules
 * remembers those that are linear. Without limits for its phases, the result does not depend on the machine's speed.
 */
export function explainSuperLinear({ source, flags }: Omit<Expression, 'file'>): string | null {
  const hash = createHash('sha256')
    .update(JSON.stringify([version, source, flags]))
    .digest('hex');
  if (loadLinearExpressions().has(hash)) return null;
  const result = withPureBackend(() => checkSync(source, flags, { timeout: null, seedingTimeout: null, incubationTimeout: null }));
  if (result.status === 'vulnerable') return `${result.complexity.summary}, such as for ${result.attack.pattern}`;
  if (result.status === 'unknown') return `recheck cannot tell: ${result.error.kind}`;
  loadLinearExpressions().add(hash);
  return null;
}

/** recheck would choose one of its programs, which are not installed. */
function withPureBackend<T>(check: () => T): T {
  process.env['RECHECK_SYNC_BACKEND'] = 'pure';
  try {
    return check();
  } finally {
    delete process.env['RECHECK_SYNC_BACKEND'];
  }
}

let cachedExpressions: Set<string> | undefined;
const loadLinearExpressions = (): Set<string> => (cachedExpressions ??= new Set(readLines(CACHE)));

/** Stores the expressions that `explainSuperLinear` found linear, for the next run. */
export function saveLinearExpressions(): void {
  mkdirSync(join(CACHE, '..'), { recursive: true });
  writeFileSync(`${CACHE}.${process.pid}`, [...loadLinearExpressions()].join('\n'));
  renameSync(`${CACHE}.${process.pid}`, CACHE);
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
