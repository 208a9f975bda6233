import { spawn } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../../scripts/start/project';
import { findDifferences, matchesPattern, type ReaderStep } from '../../unit/docs/snippets';

/** Separates the output of two blocks. */
const OUTPUT_SEPARATOR = '\u001e';

/** Less than the fifteen minutes of a test. */
const TIMEOUT_MS = 840_000;

interface Outcome {
  code: number | null;
  /** Results of each block that was started. */
  outputs: string[];
  stderr: string;
}

/**
 * Follows all steps of a page in one shell, in a folder with only the packages that the pages install.
 * @returns differences from the page, each with its line
 * @param env variables besides PATH, which defaults to this process's, and HOME, which is the folder
 */
export async function followPage(
  steps: readonly ReaderStep[],
  env: Readonly<Record<string, string>> = {},
  timeoutMs = TIMEOUT_MS,
): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'guide-'));
  try {
    await symlink(path.join(projectRoot, 'node_modules'), path.join(folder, 'node_modules'));
    for (const step of steps) if (step.kind === 'save') await writeFile(path.join(folder, step.name), step.text);
    const runs = steps.filter((step) => step.kind === 'run');
    return compareOutputs(runs, await runInOneShell(runs, folder, env, timeoutMs));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type RunStep = ReaderStep & { kind: 'run' };

function runInOneShell(
  runs: readonly RunStep[],
  folder: string,
  env: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<Outcome> {
  const program = runs.map(({ script }) => `printf '${OUTPUT_SEPARATOR}'\n${script}`).join('\n');
  const child = spawn('bash', ['-e', '-u', '-o', 'pipefail', '-c', program], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // Steps of a page take seconds. The error names the block that takes longer.
    const givesUp = setTimeout(() => endGroup(child.pid), timeoutMs);
    child.once('exit', () => {
      clearTimeout(givesUp);
      endGroup(child.pid);
    });
    child.once('close', (code) => resolve({ code, outputs: stdout.split(OUTPUT_SEPARATOR).slice(1), stderr }));
  });
}

/** Ends programs that the page left running. They belong to the shell's process group. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // the group has no process left
  }
}

function compareOutputs(runs: readonly RunStep[], { code, outputs, stderr }: Outcome): string[] {
  const compared = outputs.flatMap((output, index) => {
    const { line = 0, shown, printed } = runs[index] ?? {};
    if (printed !== undefined) return matchesPattern(printed.trim(), output.trim()) ? [] : [`line ${line}: printed ${output}`];
    return findAnswerFaults(output, shown).map((fault) => `line ${line}: ${fault}`);
  });
  if (code === 0) return compared;
  const { line, script = '' } = runs[outputs.length - 1] ?? {};
  return [...compared, `line ${line}: ended with ${code}: ${script}\n${outputs.at(-1)}\n${stderr}`];
}

/** A block without a shown response must not be refused. A block with one prints it last. */
function findAnswerFaults(output: string, shown: unknown): string[] {
  const answers = output.split('\n').flatMap((line) => (/^[[{]/.test(line) ? [parseJsonOrText(line)] : []));
  const compared = shown === undefined ? [] : findDifferences(shown, answers.at(-1));
  return [...compared, ...findRefusals(shown === undefined ? answers : answers.slice(0, -1))];
}

function findRefusals(answers: readonly unknown[]): string[] {
  return answers.flatMap((answer) => {
    const { error } = (answer ?? {}) as { error?: unknown };
    return error === undefined || error === null ? [] : [`refused, which the page does not show: ${JSON.stringify(error)}`];
  });
}

function parseJsonOrText(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
