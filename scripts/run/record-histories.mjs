// `npm run histories` runs test/service/replay/record.ts, which records a history of each kind of workflow in
// test/service/replay/histories. It keeps existing files, because they represent the workflows that run in production.
// `npm run histories -- [--as <name>] <workflow id> [run id]` downloads one history from TEMPORAL_ADDRESS to the same folder.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import protobuf from '@temporalio/proto';
import { inProject, projectRoot } from '../set-up/project.mjs';

const { values, positionals } = parseArgs({ options: { as: { type: 'string' } }, allowPositionals: true });
const [workflowId, runId] = positionals;
const address = process.env.TEMPORAL_ADDRESS || '127.0.0.1:7233';
const namespace = process.env.TEMPORAL_NAMESPACE || 'default';
if (workflowId === undefined) {
  const jest = inProject('node_modules', 'jest', 'bin', 'jest.js');
  const { status } = spawnSync(process.execPath, [jest, '--testMatch', '<rootDir>/test/service/replay/record.ts'], {
    cwd: projectRoot,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} else {
  await fetchOne().catch((error) => {
    console.error(
      `${workflowId} could not be read from Temporal at ${address}, namespace ${namespace} (${reason(error)}); check the workflow id, TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE`,
    );
    process.exitCode = 1;
  });
}

function reason({ details, message }) {
  return (details || message || 'unknown reason').replace(/\s+/g, ' ').trim();
}

async function fetchOne() {
  const folder = inProject('test', 'service', 'replay', 'histories');
  const file = `${folder}/${values.as ?? workflowId.replaceAll('/', '-')}.json`;
  if (existsSync(file)) return console.log(`${file} exists and is kept`);
  const connection = await Connection.connect({ address });
  try {
    const client = new Client({ connection, namespace });
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    // historyToJSON of the SDK fails if npm installs several copies of protobufjs ("type must be a Type"), as it does here
    // (@temporalio/common 1.24.0; no upstream issue).
    const { events } = protobuf.temporal.api.history.v1.History.toObject(history, { longs: String, enums: String, bytes: String });
    // Writes one event per line, without the names of the machines that ran the workflow.
    const lines = (await decoded(events)).map((event) => JSON.stringify(event, anonymous));
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, `{"workflowId":${JSON.stringify(workflowId)},"events":[\n${lines.join(',\n')}\n]}\n`);
    console.log(`${events.length} events in ${file}`);
  } finally {
    await connection.close();
  }
}

/** Decodes the payloads, because the tests replay histories without a codec key. */
async function decoded(events) {
  if (!process.env.TEMPORAL_CODEC_KEY) return events;
  const require = createRequire(import.meta.url);
  const { loadConfig } = require(inProject('dist', 'src', 'config', 'config.js')); // npm run build creates dist/
  const { decodeJson, payloadCodecs } = require(inProject('dist', 'src', 'temporal', 'codec.js'));
  return decodeJson(payloadCodecs(loadConfig({ DATABASE_URL: 'postgres://nobody', ...process.env }).codecKeys), events);
}

function anonymous(key, value) {
  if (key === 'identity') return 'recorder';
  if (key === 'stackTrace') return '';
  return typeof value === 'string' ? value.replace(/^\d+@[\w.-]+/, 'recorder') : value; // the name of a worker's sticky task queue begins with its identity
}
