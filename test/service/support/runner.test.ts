import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../../scripts/start/project';
import { runCommand, type CommandResult } from '../../support/commands';

/** Jest's report for these files. */
async function runPlanted(
  files: readonly (readonly [name: string, text: string])[],
  shell: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const folder = mkdtempSync(join(tmpdir(), 'trade-print-runner-'));
  try {
    for (const [name, text] of files) writeFileSync(join(folder, `${name.replaceAll(' ', '-')}.test.ts`), text);
    const jest = join(projectRoot, 'node_modules', 'jest', 'bin', 'jest.js');
    const { COUNTS_FILE: _, ...env } = process.env;
    return await runCommand(process.execPath, [jest, '--roots', folder, '--testMatch', `${folder}/*.test.ts`], {
      env: { ...env, ...shell },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const SOUND = ['a sound file', `it('is sound', () => expect(1 + 1).toBe(2));`] as const;

const FAILURES: readonly (readonly [name: string, text: string, reason: string])[] = [
  ['a wrong expectation', `it('is wrong', () => expect(1).toBe(2));`, 'Expected: 2'],
  ['a test that never ends', `it('hangs', () => new Promise(() => undefined), 50);`, 'Exceeded timeout of 50 ms'],
  ['a hook that never ends', `beforeAll(() => new Promise(() => undefined), 50); it('waits', () => {});`, 'Exceeded timeout of 50 ms'],
  [
    'an error that no code catches',
    `it('ends early', (done) => { setImmediate(() => setImmediate(done)); setImmediate(() => { throw new Error('thrown late'); }); });`,
    'thrown late',
  ],
  [
    'a rejection that no code handles',
    `it('x', (done) => { void Promise.reject(new Error('left alone')); setTimeout(done, 20); });`,
    'left alone',
  ],
  [
    'an error after the last test',
    `it('x', () => void setTimeout(() => { throw new Error('thrown after'); }, 1)); afterAll(() => new Promise((done) => setTimeout(done, 50)));`,
    'thrown after',
  ],
  ['a changed environment', `it('x', () => { process.env.LEFT_BEHIND = '1'; });`, 'must restore process.env.LEFT_BEHIND'],
  ['a process that dies', `it('dies', () => process.kill(process.pid, 'SIGKILL'));`, 'Test suite failed to run'],
  ['a process that exits', `it('exits', () => process.exit(0));`, 'Test suite failed to run'],
  ['a file that does not load', `import './nothing'; it('x', () => {});`, "Cannot find module './nothing'"],
];

describe('a test run fails and ends', () => {
  it('with an error after the last file of a process', async () => {
    const text = `it('x', () => void setImmediate(() => setImmediate(() => { throw new Error('thrown after'); })));`;
    const { code, output } = await runPlanted([['late', text], SOUND]);
    expect(output).toContain('thrown after');
    expect(code).toBe(1);
  });

  it('with each kind of failure, in the file that has it', async () => {
    const { code, output } = await runPlanted([...FAILURES.map(([name, text]) => [name, text] as const), SOUND]);
    const reportOf = (name: string) =>
      output.split(/^(?=PASS|FAIL)/m).find((report) => report.includes(`${name.replaceAll(' ', '-')}.test.ts`));
    expect(reportOf(SOUND[0])).toMatch(/^PASS/);
    for (const [name] of FAILURES) expect([name, reportOf(name)]).toEqual([name, expect.stringMatching(/^FAIL/)]);
    for (const [name, , reason] of FAILURES) expect([name, reportOf(name)]).toEqual([name, expect.stringContaining(reason)]);
    expect(output).toMatch(/FAILED .*a-wrong-expectation\.test\.ts: is wrong\n/);
    expect(output).toMatch(/FAILED .*a-process-that-dies\.test\.ts: the file itself\n/);
    expect(output).toMatch(new RegExp(`Test Suites: ${FAILURES.length} failed, 1 passed`));
    expect(code).toBe(1);
  });
});

describe('the shell of a person who runs the tests', () => {
  /** Settings of the service, variables of libraries, a proxy, and what a terminal sets. */
  const SHELL = {
    SMTP_URL: 'smtp://mail.example',
    DATABASE_URL_FILE: '/run/secrets/database',
    TEMPORAL_NAMESPACE: 'mine',
    PGSSLMODE: 'require',
    AWS_PROFILE: 'mine',
    OTEL_SERVICE_NAME: 'mine',
    NODE_ENV: 'production',
    no_proxy: 'localhost, .example',
    FORCE_COLOR: '1',
  };

  it('changes no test, and leaves the settings of npm and others', async () => {
    const names = Object.keys(SHELL);
    const text = `it('x', () => {
      const { NO_PROXY, no_proxy, NODE_ENV, MINE, ...env } = process.env;
      expect(${JSON.stringify(names)}.filter((name) => name in env)).toEqual([]);
      expect([NO_PROXY, no_proxy].map((hosts) => hosts.endsWith('127.0.0.1,localhost'))).toEqual([true, true]);
      expect([NODE_ENV, MINE]).toEqual(['test', '1']);
    });`;
    const { code, output } = await runPlanted([['shell', text]], { ...SHELL, MINE: '1' });
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  });
});
