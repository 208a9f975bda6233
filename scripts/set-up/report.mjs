// Output of the set-up: a line for each long step, a line every 15 seconds while it runs, and the reason of a failure.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const HEARTBEAT_MS = 15_000;

/** A failure that the user can correct. Its message is printed without a stack. */
export class SetupFailure extends Error {}

export function say(line) {
  process.stdout.write(`[set-up] ${line}\n`);
}

/** Runs `work` and prints its title and duration. Several steps may run at once. */
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
 * Runs a program and returns its standard output.
 * @throws SetupFailure with its output
 */
export async function run(command, args, options = {}) {
  const running = promisify(execFile)(command, args, { ...options, maxBuffer: Number.POSITIVE_INFINITY });
  running.child.stdin.end();
  try {
    return (await finished(running, () => running.child.kill())).stdout;
  } catch ({ message, stdout = '' }) {
    throw new SetupFailure(`${message}\n${stdout}`.trim());
  }
}

/** Waits for `work`, then cleans up, also if the set-up is interrupted. */
export async function finished(work, cleanUp) {
  process.once('exit', cleanUp);
  try {
    return await work;
  } finally {
    process.removeListener('exit', cleanUp);
    cleanUp();
  }
}
