// Stops what its parent started when the parent dies without doing so itself (kill -9, a closed terminal).
// The parent keeps our stdin open. Each line is the whole of what is left to do: {"processes":[{pid, stage, stopSignal, graceMs}],"folder"}.
// It is started detached: a Ctrl-C or a kill of the whole process group does not reach it.
'use strict';

const { readFileSync, rmSync } = require('node:fs');
const { createInterface } = require('node:readline');
const { setTimeout: delay } = require('node:timers/promises');

let left = { processes: [] };

createInterface({ input: process.stdin })
  .on('line', (line) => (left = JSON.parse(line)))
  .on('close', () => void finish());

/** Stops the highest stage first. */
async function finish() {
  const { processes, folder } = left;
  for (const stage of [...new Set(processes.map((entry) => entry.stage))].sort((a, b) => b - a))
    await Promise.all(processes.filter((entry) => entry.stage === stage).map(stop));
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

async function stop({ pid, stopSignal, graceMs }) {
  const deadline = Date.now() + graceMs;
  send(pid, stopSignal);
  while (isAlive(pid) && Date.now() < deadline) await delay(50);
  if (isAlive(pid)) send(pid, 'SIGKILL');
}

/** A zombie has ended, but its new parent has not noticed, and in a container may never do so. */
function isAlive(pid) {
  if (!send(pid, 0)) return false;
  try {
    return !/\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}

/** @returns false when the process has ended already */
function send(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
