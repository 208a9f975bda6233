import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../../scripts/start/project';

export interface NodeResult {
  /** The result of the body, or the message of its error. */
  result?: any;
  error?: string;
  /** The terminal output of the set-up. */
  said: string;
}

const RESULT_PREFIX = '\u0000result:';

/**
 * The set-up consists of plain ES modules, which run before jest exists. These tests run them in a separate Node.
 * @param body of an async function of `input` and `lib`, which imports a module of scripts/set-up
 */
export async function runInNode(body: string, input: unknown, env: Record<string, string> = {}): Promise<NodeResult> {
  const script = `
    const input = JSON.parse(${JSON.stringify(JSON.stringify(input))});
    const lib = (name) => import(${JSON.stringify(`${pathToFileURL(join(projectRoot, 'scripts', 'set-up')).href}/`)} + name);
    const answer = await (async () => { ${body} })().then((result) => ({ result }), (error) => ({ error: error.message }));
    process.stdout.write(${JSON.stringify(RESULT_PREFIX)} + JSON.stringify(answer));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => void (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  const [said = '', answer] = stdout.split(RESULT_PREFIX);
  if (answer === undefined) throw new Error(`the set-up ended without an answer: ${stderr}`);
  return { ...(JSON.parse(answer) as Omit<NodeResult, 'said'>), said };
}
