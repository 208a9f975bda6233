import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from '@swc/core';
import { projectRoot } from '../../dev/project';
import { sourceFiles } from './imports';

/** What needs no import, and that a rule must not know of: the same facts give the same answer, whenever and wherever it is asked for. */
const NOWHERE = [
  'crypto',
  'process',
  'performance',
  'fetch',
  'WebSocket',
  'XMLHttpRequest',
  'navigator',
  'console',
  'module',
  'globalThis',
  'global',
  'self',
  'eval',
  'Function',
  'setInterval',
  'setImmediate',
];
/** In a workflow these are Temporal's own, the same in every replay. */
const ONLY_IN_WORKFLOWS = ['setTimeout', 'queueMicrotask', 'Date.now', 'Math.random', 'new Date()', 'Date'];
const OF_THE_MACHINE = /^(?:toLocale\w*|localeCompare|getTimezoneOffset)$/;
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'src/domain': [...NOWHERE, ...ONLY_IN_WORKFLOWS],
  workflows: NOWHERE,
};

interface Node {
  type?: string;
  value?: unknown;
  [part: string]: unknown;
}

/** The globals a source takes: `crypto`, `Date.now`, `new Date()`, `.toLocaleString`; `Date` and `Math` where they are taken whole. */
function globalsOf(source: string): string[] {
  const found: string[] = [];
  visit(parseSync(source, { syntax: 'typescript', target: 'es2022' }) as unknown as Node, found);
  return found;
}

function visit(node: Node, found: string[]): void {
  if (node.type === 'TsTypeReference') return;
  found.push(...taken(node));
  for (const [part, child] of Object.entries(node)) {
    for (const one of Array.isArray(child) ? child : [child]) {
      if (typeof one === 'object' && one !== null && !isMereName(node, part, one as Node)) visit(one as Node, found);
    }
  }
}

/** A name of somebody's part, or one whose whole expression has been judged. */
function isMereName(parent: Node, part: string, child: Node): boolean {
  if (child.type !== 'Identifier') return false;
  if (part === 'key' || part === 'property') return parent.type !== 'ComputedPropName' && parent.type !== 'Computed';
  if (part === 'object') return child.value === 'Date' || (child.value === 'Math' && memberName(parent) !== null);
  return (
    (part === 'callee' && parent.type === 'NewExpression' && child.value === 'Date') ||
    (part === 'right' && parent.operator === 'instanceof')
  );
}

function taken(node: Node): string[] {
  if (node.type === 'Identifier') return [String(node.value)];
  if (node.type === 'NewExpression') return isNow(node) ? ['new Date()'] : [];
  if (node.type === 'KeyValuePatternProperty' || node.type === 'AssignmentPatternProperty') return ofTheMachine(nameOf(node.key as Node));
  if (node.type !== 'MemberExpression') return [];
  const { value } = node.object as Node;
  const name = memberName(node);
  if (value === 'Date' || value === 'Math') return [name === null ? String(value) : `${value}.${name}`];
  return ofTheMachine(name);
}

const ofTheMachine = (name: string | null): string[] => (name !== null && OF_THE_MACHINE.test(name) ? [`.${name}`] : []);

function isNow({ callee, arguments: given }: Node): boolean {
  return (callee as Node).value === 'Date' && (!Array.isArray(given) || given.length === 0);
}

/** `now` of `Date.now` and `Date['now']`; null where it is computed. */
const memberName = ({ property }: Node): string | null => nameOf(property as Node);

function nameOf(node: Node): string | null {
  const named = node.type === 'Computed' ? (node.expression as Node) : node;
  const isName = named.type === 'StringLiteral' || (named.type === 'Identifier' && named === node);
  return isName ? String(named.value) : null;
}

const refusedIn = (folder: string, source: string): string[] =>
  globalsOf(source).filter((name) => name.startsWith('.') || REFUSED[folder]?.includes(name));

it.each(Object.keys(REFUSED))('%s takes nothing of the machine it runs on', (folder) => {
  const files = sourceFiles().filter((file) => file.startsWith(`${folder}/`));
  const found = files.flatMap((file) =>
    refusedIn(folder, readFileSync(path.join(projectRoot, file), 'utf8')).map((name) => `${file}: ${name}`),
  );
  expect(files.length).toBeGreaterThan(10);
  expect(found).toEqual([]);
});

describe('a global that is taken is found', () => {
  it.each([
    ['src/domain', 'const id = crypto.randomUUID();', 'crypto'],
    ['src/domain', 'const at = Date.now();', 'Date.now'],
    ['src/domain', `const at = Date['now']();`, 'Date.now'],
    ['src/domain', 'const at = new Date();', 'new Date()'],
    ['src/domain', 'const at = new Date;', 'new Date()'],
    ['src/domain', 'const { now } = Date;', 'Date'],
    ['src/domain', 'const text = Date();', 'Date'],
    ['src/domain', 'const any = Math.random();', 'Math.random'],
    ['src/domain', 'const zone = process.env.TZ;', 'process'],
    ['src/domain', 'const answer = fetch(url);', 'fetch'],
    ['src/domain', 'setTimeout(work, 10);', 'setTimeout'],
    ['src/domain', 'setInterval(work, 10);', 'setInterval'],
    ['src/domain', 'const at = performance.now();', 'performance'],
    ['src/domain', 'const text = at.toLocaleDateString();', '.toLocaleDateString'],
    ['src/domain', 'const text = at?.toLocaleString();', '.toLocaleString'],
    ['src/domain', 'const { toLocaleString } = at;', '.toLocaleString'],
    ['src/domain', 'const id = globalThis.crypto;', 'globalThis'],
    ['src/domain', 'const fs = process.getBuiltinModule(name);', 'process'],
    ['src/domain', 'const made = { crypto };', 'crypto'],
    ['workflows', 'const id = crypto.randomUUID();', 'crypto'],
    ['workflows', 'const zone = process.env.TZ;', 'process'],
    ['workflows', 'const at = performance.now();', 'performance'],
    ['workflows', 'const answer = await fetch(url);', 'fetch'],
    ['workflows', 'const text = amount.toLocaleString();', '.toLocaleString'],
  ])('in %s: %s', (folder, source, name) => {
    expect(refusedIn(folder, source)).toEqual([name]);
  });

  it.each([
    ['src/domain', `const at = new Date(ms); Date.parse(text); Date.UTC(2026, 1); Math.ceil(1.5); at instanceof Date;`],
    ['src/domain', `const made: Date = { process: 1, crypto: 2 }; made.process; type Fetch = typeof made;`],
    ['workflows', 'setTimeout(work, Date.now() + Math.random()); new Date();'],
  ])('and what gives the same everywhere is let through in %s: %s', (folder, source) => {
    expect(refusedIn(folder, source)).toEqual([]);
  });
});
