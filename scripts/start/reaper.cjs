// Stops what its parent started when the parent dies without doing so itself (kill -9, a closed terminal).
// The parent keeps our stdin open and writes one JSON object a line:
//   {"watch":{"pid":1,"stage":0,"stopSignal":"SIGTERM","graceMs":10000}}   stop this one, the highest stage first
//   {"release":1}                                           it has ended, its pid may be somebody else's now
//   {"remove":"/tmp/x"}                                     remove this folder at the very end
//   {"dismiss":true}                                        everything has been put away, nothing to do
// It is started detached, so that a Ctrl-C or a kill of the whole process group does not reach it.
'use strict';

const { readFileSync, rmSync } = require('node:fs');
const { createInterface } = require('node:readline');
const { setTimeout: delay } = require('node:timers/promises');

const watched = new Map();
const folders = [];
let dismissed = false;

createInterface({ input: process.stdin })
  .on('line', (line) => obey(JSON.parse(line)))
  .on('close', () => void finish());

function obey(message) {
  if (message.watch) watched.set(message.watch.pid, message.watch);
  if (message.release) watched.delete(message.release);
  if (message.remove) folders.push(message.remove);
  if (message.dismiss) dismissed = true;
}

async function finish() {
  if (!dismissed) {
    const stages = [...new Set([...watched.values()].map((entry) => entry.stage))].sort((a, b) => b - a);
    for (const stage of stages) {
      await Promise.all([...watched.values()].filter((entry) => entry.stage === stage).map(stop));
    }
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
  process.exit(0);
}

async function stop({ pid, stopSignal, graceMs }) {
  send(pid, stopSignal);
  const deadline = Date.now() + graceMs;
  while (isAlive(pid) && Date.now() < deadline) await delay(50);
  if (isAlive(pid)) send(pid, 'SIGKILL');
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

/** It has ended, but its new parent (init, when ours has died) has not noticed, and in a container may never do so. */
function isZombie(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false;
  }
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}
