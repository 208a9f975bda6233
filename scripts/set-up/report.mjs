// What the set-up says at the terminal: nothing when there is nothing to do, one line and a heartbeat for a long step,
// and for a failure what failed, what it said and what to do.

import { spawn } from 'node:child_process';

const HEARTBEAT_MS = 15_000;
const FIRST_LINES = 8;
const LAST_LINES = 12;

/** A failure the person at the terminal can act on; its message is printed without a stack. */
export class SetupFailure extends Error {}

export function say(line) {
  process.stdout.write(`[set-up] ${line}\n`);
}

/** The step that has the last word at the terminal: its "done" needs no name. */
let lastToSpeak;

/**
 * Runs `work` between a line that says what is being done and one that says how long it took. `work` is given a function to
 * tell how far it is. Several steps may run at once.
 */
export async function step(title, work) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const name = title.split(/[,(]/)[0].trim();
  let howFar = '';
  say(`${title} …`);
  lastToSpeak = name;
  const heartbeat = setInterval(() => {
    say(`  still at it: ${name} (${seconds()} s${howFar})`);
    lastToSpeak = name;
  }, HEARTBEAT_MS);
  try {
    const result = await work((told) => (howFar = `, ${told}`));
    say(`  done in ${seconds()} s${lastToSpeak === name ? '' : `: ${name}`}`);
    lastToSpeak = undefined;
    return result;
  } finally {
    clearInterval(heartbeat);
  }
}

/**
 * Runs a program quietly and returns its standard output. `keepWaiting` is asked every second and may end it early.
 * @throws SetupFailure with an excerpt of what it wrote
 */
export function run(command, args, { cwd, env, keepWaiting } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let output = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      output += chunk;
    });
    child.stderr.on('data', (chunk) => (output += chunk));
    const stopChild = () => child.kill('SIGTERM');
    process.once('exit', stopChild);
    const watch = keepWaiting && setInterval(() => keepWaiting() || child.kill('SIGKILL'), 1_000);
    const settled = () => {
      clearInterval(watch);
      process.removeListener('exit', stopChild);
    };
    child.once('error', (error) => {
      settled();
      reject(new SetupFailure(`${command} cannot be started: ${error.message}`));
    });
    child.once('close', (code, signal) => {
      settled();
      if (code === 0) resolve(stdout);
      else reject(new SetupFailure(describe([command, ...args].join(' '), code, signal, output)));
    });
  });
}

function describe(commandLine, code, signal, output) {
  const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
  const said = output.trim() === '' ? 'It wrote nothing.' : `It said:\n    ${excerpt(output).join('\n    ')}`;
  return `"${shortened(commandLine)}" ${how}. ${said}`;
}

/** Beginning and end: some programs name the fault first and then explain their usage. */
function excerpt(output) {
  const lines = output.trim().split('\n');
  if (lines.length <= FIRST_LINES + LAST_LINES) return lines;
  return [...lines.slice(0, FIRST_LINES), '…', ...lines.slice(-LAST_LINES)];
}

function shortened(text) {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
