// What the set-up prints: one line for a long step, a line every 15 seconds while it runs, and the reason of a failure.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const HEARTBEAT_MS = 15_000;
const FIRST_LINES = 8;
const LAST_LINES = 12;

/** A failure the person at the terminal can act on; its message is printed without a stack. */
export class SetupFailure extends Error {}

export function say(line) {
  process.stdout.write(`[set-up] ${line}\n`);
}

/** Runs `work` and says what is being done and how long it took. Several steps may run at once. */
export async function step(title, work) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  say(`${title} …`);
  const heartbeat = setInterval(() => say(`  still ${title} (${seconds()} s)`), HEARTBEAT_MS);
  try {
    const result = await work();
    say(`  done in ${seconds()} s: ${title}`);
    return result;
  } finally {
    clearInterval(heartbeat);
  }
}

/**
 * Runs a program quietly and returns its standard output.
 * @throws SetupFailure with an excerpt of its output
 */
export async function run(command, args, options = {}) {
  const running = promisify(execFile)(command, args, { ...options, maxBuffer: Number.POSITIVE_INFINITY });
  const stopChild = () => running.child.kill();
  process.once('exit', stopChild);
  running.child.stdin.end();
  try {
    return (await running).stdout;
  } catch (error) {
    throw new SetupFailure(`"${[command, ...args].join(' ').slice(0, 160)}" failed. ${reasonOf(error)}`);
  } finally {
    process.removeListener('exit', stopChild);
  }
}

/** The beginning and the end of the output: some programs name the fault first and then explain their usage. */
function reasonOf({ code, signal, message, stdout, stderr }) {
  if (typeof code === 'string') return message; // the program cannot be started
  const lines = `${stdout}${stderr}`.trim().split('\n');
  const excerpt = lines.length > FIRST_LINES + LAST_LINES ? [...lines.slice(0, FIRST_LINES), '…', ...lines.slice(-LAST_LINES)] : lines;
  return `It ended ${signal ? `by ${signal}` : `with code ${code}`} and wrote:\n    ${excerpt.join('\n    ')}`;
}
