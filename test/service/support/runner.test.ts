import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../../dev/project';

/** What Jest reports when a file with this text runs beside one that passes. */
async function ran(text: string): Promise<{ code: number | null; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'trade-print-runner-'));
  try {
    writeFileSync(join(folder, 'planted.test.ts'), text);
    writeFileSync(join(folder, 'sound.test.ts'), `it('is sound', () => expect(1 + 1).toBe(2));`);
    const jest = join(projectRoot, 'node_modules', 'jest', 'bin', 'jest.js');
    const child = spawn(process.execPath, [jest, '--roots', folder, '--testMatch', `${folder}/*.test.ts`], { cwd: projectRoot });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('a test run fails and ends', () => {
  it.each([
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
    ['a process that dies', `it('dies', () => process.kill(process.pid, 'SIGKILL'));`, 'planted.test.ts'],
    ['a process that exits', `it('exits', () => process.exit(0));`, 'planted.test.ts'],
    ['a file that does not load', `import './nothing'; it('x', () => {});`, "Cannot find module './nothing'"],
  ])('with %s', async (_what, text, reason) => {
    const { code, output } = await ran(text);
    expect(output).toContain('PASS');
    expect(output).toContain(reason);
    expect(output).toMatch(/Test Suites: 1 failed, 1 passed/);
    expect(code).toBe(1);
  });
});
