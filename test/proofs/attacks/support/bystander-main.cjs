'use strict';

// Sends a request of another account every 50 ms without waiting for earlier responses, and reports its measurements.
const { Agent, request } = require('undici');

const EVERY_MS = 50;
const agent = new Agent({ connections: 100 });
const [, , url, ...keys] = process.argv;
let samples = [];
let turn = 0;

async function send() {
  const startedAt = performance.now();
  const key = keys[(turn += 1) % keys.length];
  const status = await request(url, { dispatcher: agent, headers: { authorization: `Bearer ${key}` } }).then(
    async ({ statusCode, body }) => {
      await body.dump();
      return statusCode;
    },
    (error) => error.code ?? error.message,
  );
  samples.push({ status, ms: performance.now() - startedAt });
  process.send({ answered: samples.length });
}

setInterval(() => void send(), EVERY_MS);
process.on('message', () => {
  process.send({ samples });
  samples = [];
});
process.on('disconnect', () => process.exit());
