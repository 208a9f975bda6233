'use strict';

// Sends a request of another account every 50 ms, with at most eight unanswered, and reports its measurements.
const { Agent, request } = require('undici');

const EVERY_MS = 50;
const MAX_OPEN = 8;
const agent = new Agent({ connections: 100 });
const [, , url, ...keys] = process.argv;
let samples = [];
let turn = 0;
let open = 0;

async function send() {
  open += 1;
  const startedAt = performance.now();
  const key = keys[(turn += 1) % keys.length];
  const status = await request(url, { dispatcher: agent, headers: { authorization: `Bearer ${key}` } }).then(
    async ({ statusCode, body }) => {
      await body.dump();
      return statusCode;
    },
    (error) => error.code ?? error.message,
  );
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
