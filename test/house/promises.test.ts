import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../dev/project';

/** What the linter sees: our code, our configuration, our packages. */
const FOLDERS = ['src', 'workflows', 'activities', 'migrations'];
const COPIED = ['.oxlintrc.json', 'tsconfig.json', 'package.json', ...FOLDERS];

interface Report {
  diagnostics: { code: string; filename: string }[];
}

/** Files that no test runs; each plants one fault and nothing else the linter minds. */
const PLANTED: { title: string; file: string; source: string; rule: string }[] = [
  {
    title: 'a workflow that does not await an activity',
    file: 'workflows/planted.ts',
    source: `import { sendConfirmation } from './activity-proxies';
export async function confirm(orderId: string): Promise<void> {
  await Promise.resolve();
  sendConfirmation({ orderId });
}`,
    rule: 'typescript(no-floating-promises)',
  },
  {
    title: 'a workflow that takes an activity for its answer',
    file: 'workflows/planted-condition.ts',
    source: `import { loadOrder } from './activity-proxies';
export function isThere(orderId: string): boolean {
  if (loadOrder({ orderId })) return true;
  return false;
}`,
    rule: 'typescript(no-misused-promises), typescript(no-unnecessary-condition)',
  },
  {
    title: 'an activity that does not await the database',
    file: 'activities/planted.ts',
    source: `import type { ActivityDeps } from './index';
export async function forget(deps: ActivityDeps): Promise<void> {
  await Promise.resolve();
  deps.database.transaction(async (sql) => sql.run('DELETE FROM orders'));
}`,
    rule: 'typescript(no-floating-promises)',
  },
  {
    title: 'a handler that answers before its row is written',
    file: 'src/http/routes/planted.ts',
    source: `import { findQuote } from '../../db/repositories/quotes';
import type { Answer, TradeRequest } from '../types';
export async function answer({ deps, caller, params }: TradeRequest): Promise<Answer> {
  await Promise.resolve();
  findQuote(deps.database, caller.accountId, caller.environment, params.id ?? '');
  return { data: null };
}`,
    rule: 'typescript(no-floating-promises)',
  },
  {
    title: 'an async callback where nobody waits for it',
    file: 'src/http/planted-callback.ts',
    source: `export function each(ids: readonly string[], work: (id: string) => Promise<void>): void {
  ids.forEach(async (id) => work(id));
}`,
    rule: 'typescript(no-misused-promises)',
  },
  {
    title: 'an async listener of an event',
    file: 'src/relay/planted.ts',
    source: `import type { EventEmitter } from 'node:events';
export function listen(to: EventEmitter, work: () => Promise<void>): void {
  to.on('woken', async () => work());
}`,
    rule: 'typescript(no-misused-promises)',
  },
  {
    title: 'an await of what is no promise',
    file: 'src/orders/planted.ts',
    source: `export async function first(ids: readonly string[]): Promise<string | undefined> {
  const [id] = await Promise.all(ids);
  await id;
  return id;
}`,
    rule: 'typescript(await-thenable)',
  },
  {
    title: 'a transaction returned out of try/catch',
    file: 'src/orders/planted-catch.ts',
    source: `import type { Database } from '../db/database';
export async function forget(database: Database): Promise<number | null> {
  try {
    return database.transaction(async (sql) => (await sql.rows('DELETE FROM orders')).length);
  } catch {
    return null;
  }
}`,
    rule: 'typescript(return-await)',
  },
  {
    title: 'a transaction returned out of try/finally',
    file: 'src/orders/planted-finally.ts',
    source: `import type { Database } from '../db/database';
export async function forget(database: Database, done: () => void): Promise<number> {
  try {
    return database.transaction(async (sql) => (await sql.rows('DELETE FROM orders')).length);
  } finally {
    done();
  }
}`,
    rule: 'typescript(return-await)',
  },
  {
    title: 'a row that is compared with null before it is there',
    file: 'src/orders/planted-null.ts',
    source: `import type { Database } from '../db/database';
export async function isThere(database: Database): Promise<boolean> {
  await Promise.resolve();
  return database.row('SELECT 1 FROM orders') !== null;
}`,
    rule: 'typescript(no-unnecessary-condition)',
  },
  {
    title: 'a row that is taken for nothing before it is there',
    file: 'src/orders/planted-nothing.ts',
    source: `import type { Database } from '../db/database';
export async function first(database: Database): Promise<unknown> {
  await Promise.resolve();
  return database.row('SELECT 1 FROM orders') ?? null;
}`,
    rule: 'typescript(no-unnecessary-condition)',
  },
  {
    title: 'a row that is written into a text before it is there',
    file: 'src/orders/planted-text.ts',
    source: `import type { Database } from '../db/database';
export async function told(database: Database): Promise<string> {
  await Promise.resolve();
  return \`orders: \${database.row('SELECT 1 FROM orders')}\`;
}`,
    rule: 'typescript(no-base-to-string), typescript(restrict-template-expressions)',
  },
  {
    title: 'a row that is made a text before it is there',
    file: 'src/orders/planted-string.ts',
    source: `import type { Database } from '../db/database';
export async function told(database: Database): Promise<string> {
  await Promise.resolve();
  return String(database.row('SELECT 1 FROM orders'));
}`,
    rule: 'typescript(no-base-to-string)',
  },
  {
    title: 'a statement that is sent off as void',
    file: 'src/orders/planted-void.ts',
    source: `import type { Database } from '../db/database';
export function forget(database: Database): void {
  void database.run('DELETE FROM orders');
}`,
    rule: 'typescript(no-floating-promises)',
  },
];

const HANDLED = {
  file: 'workflows/planted-well.ts',
  source: `import { loadOrder, sendConfirmation } from './activity-proxies';
export async function confirm(orderId: string): Promise<void> {
  if (await loadOrder({ orderId })) await sendConfirmation({ orderId });
  sendConfirmation({ orderId }).catch(() => undefined);
}`,
};

describe('a promise that nobody waits for is refused by the linter, as it is configured', () => {
  let project: string;
  let found: Report['diagnostics'];

  beforeAll(() => {
    project = mkdtempSync(path.join(tmpdir(), 'trade-print-lint-'));
    for (const name of COPIED) cpSync(path.join(projectRoot, name), path.join(project, name), { recursive: true });
    symlinkSync(path.join(projectRoot, 'node_modules'), path.join(project, 'node_modules'));
    for (const { file, source } of [...PLANTED, HANDLED]) {
      mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
      writeFileSync(path.join(project, file), `${source}\n`);
    }
    found = lint(project);
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it.each(PLANTED)('$title', ({ file, rule }) => {
    const codes = found.filter(({ filename }) => filename === file).map(({ code }) => code);
    expect([...new Set(codes)].toSorted().join(', ')).toBe(rule);
  });

  it('and nothing else: neither one that is waited for, nor one whose failure is handled, nor ours', () => {
    expect(found.map(({ filename }) => filename).filter((name) => !PLANTED.some(({ file }) => file === name))).toEqual([]);
  });
});

/** What `npm run lint` says of a project's folders. */
function lint(folder: string): Report['diagnostics'] {
  const oxlint = path.join(projectRoot, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const { stdout, stderr, status } = spawnSync(process.execPath, [oxlint, '--format', 'json', ...FOLDERS], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 1) throw new Error(`oxlint ended with ${status}: ${stdout.slice(0, 2000)}${stderr}`);
  return (JSON.parse(stdout) as Report).diagnostics;
}
