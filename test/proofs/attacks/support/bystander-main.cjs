'use strict';

// Sends a request of another account every 50 ms, with at most eight unanswered, and reports its measurements.
const { setTimeout } = require('node:timers/promises');
const { Agent, request } = require('undici');

const EVERY_MS = 50;
const MAX_OPEN = 8;
const MAX_REPEATS = 5;
const agent = new Agent({ connections: 100 });
const [, , url, ...keys] = process.argv;
let samples = [];
let turn = 0;
let open = 0;

const ask = (key) =>
  request(url, { dispatcher: agent, headers: { authorization: `Bearer ${key}` } }).then(
    async ({ statusCode, body }) => {
      await body.dump();
      return statusCode;
    },
    (error) => error.code ?? error.message,
  );

async function send() {
  open += 1;
  const startedAt = performance.now();
  const key = keys[(turn += 1) % keys.length];
  let status = await ask(key);
  // As the contract says. A slow machine can answer it without any attack.
  for (let repeat = 1; status === 503 && repeat <= MAX_REPEATS; repeat += 1) {
    await setTimeout(1000);
    status = await ask(key);
  }
  open -= 1;
  samples.push({ status, ms: performance.now() - startedAt });
  process.send({ answered: samples.length });
}

setInterval(() => void (open < MAX_OPEN && send()), EVERY_MS);
process.on('message', () => {
  process.send({ samples });
  samples = [];
});
process.on('disconnect', () => process.exit());
