import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../../scripts/start/project';
import { toolPath } from '../../../scripts/start/tools';
import { exactStudioDocument } from '../../../src/http/openapi/studio';
import { exactTradeDocument } from '../../../src/http/openapi/trade';
import { ENDPOINTS } from '../../../src/http/trade/endpoints';
import { STUDIO_ENDPOINTS } from '../../../src/http/studio/endpoints';
import { Stack } from '../faults/support/stack';
import { anAccount } from '../../support/accounts';
import { anOrder, aQuote, declareArtwork } from '../../support/baskets';
import { HttpClient } from '../../support/client';
import { startReceiver } from '../../support/webhook-receiver';

type ApiName = 'trade' | 'studio';

/** Operations that would break other cases: they delete the run's token or its endpoints. */
const DESTRUCTIVE_OPERATIONS = ['revokeToken', 'deleteWebhookEndpoint'];
/** Its response is endless; test/service/http/studio/event-stream.test.ts tests it. */
const STREAMING_OPERATIONS = ['listenToEvents'];

/** These operations have a separate run without links. */
const RUNS: readonly { api: ApiName; only: readonly string[] }[] = [
  { api: 'trade', only: [] },
  { api: 'studio', only: [...DESTRUCTIVE_OPERATIONS, ...STREAMING_OPERATIONS].flatMap((id) => ['--exclude-operation-id', id]) },
  {
    api: 'studio',
    only: ['--phases', 'examples,coverage,fuzzing', ...DESTRUCTIVE_OPERATIONS.flatMap((id) => ['--include-operation-id', id])],
  },
];

/** Number of cases for both documents; operations may need more, never fewer. */
const CASES = Number(process.env['CASES'] ?? 10_000);
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000);
/** Approximate number of operations in the two documents, to set the number of cases. */
const OPERATIONS = 60;

interface Outcome {
  cases: number;
  failed: boolean;
}

interface Run {
  api: ApiName;
  url: string;
  seed: number;
  only: readonly string[];
  there: ExistingIds;
  env: Record<string, string>;
}

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

/** `npm run test:contract`: runs Schemathesis on both exact documents against separate processes of the service. */
async function main(): Promise<void> {
  printLine(`SEED=${SEED} CASES=${CASES}`);
  const receiver = await startReceiver();
  const stack = await Stack.create({
    services: 'built',
    postgresSettings: { fsync: 'off' },
    // A rate limit would answer most cases with 429.
    env: { RATE_LIMIT_FACTOR: '1000000', WEBHOOK_ALLOWED_ORIGINS: receiver.origin },
  });
  try {
    await stack.start();
    const { testKey, existingIds: there } = await populate(stack, receiver.url);
    const outcomes: Outcome[] = [];
    const cases = (): number => outcomes.reduce((sum, outcome) => sum + outcome.cases, 0);
    for (let round = 0; round === 0 || (cases() < CASES && !outcomes.some(({ failed }) => failed)); round += 1)
      for (const { api, only } of RUNS) {
        const url = api === 'trade' ? stack.tradeUrl : stack.studioUrl;
        outcomes.push(
          await runSchemathesis({
            api,
            url,
            seed: SEED + round,
            only,
            there,
            env: { TRADE_API_KEY: testKey, STUDIO_TOKEN: stack.studioToken },
          }),
        );
      }
    printLine(`\nnever answered 2xx: ${findEndpointsWithoutSuccess(stack).join(', ') || 'none'}`);
    const faults = findInternalErrors(stack);
    for (const fault of faults.slice(0, 10)) printLine(fault);
    const failed = outcomes.filter((outcome) => outcome.failed).length;
    printLine(`SEED=${SEED} CASES=${CASES}: ${cases()} cases, ${failed} runs failed, ${faults.length} internal errors`);
    process.exitCode = failed === 0 && faults.length === 0 ? 0 : 1;
  } finally {
    await stack.close();
    await receiver.close();
  }
}

/** Ids of existing resources, by the dictionary names of schemathesis.toml. */
type ExistingIds = Record<'orders' | 'quotes' | 'uploads' | 'artwork' | 'endpoints' | 'deliveries', string[]>;

/** Creates resources of every kind, so lists are not empty. */
async function populate(stack: Stack, webhookUrl: string): Promise<{ testKey: string; existingIds: ExistingIds }> {
  const { accountId, testKey, liveKey } = await anAccount((await stack.dependencies()).database);
  const studio = new HttpClient(stack.studioUrl, stack.studioToken);
  const [test, live] = [testKey, liveKey].map((key) => new HttpClient(stack.tradeUrl, key)) as [HttpClient, HttpClient];
  const existingIds: ExistingIds = { orders: [], quotes: [], uploads: [], artwork: [], endpoints: [], deliveries: [] };
  for (const environment of ['test', 'live']) {
    const { json } = await studio.post(`/accounts/${accountId}/webhook-endpoints`, { environment, url: webhookUrl });
    existingIds.endpoints.push(json.data.id);
  }
  for (const trade of [test, live, test, live, test, test]) {
    existingIds.orders.push((await anOrder(trade)).orderId);
    existingIds.quotes.push((await aQuote(trade)).quoteId);
    const { uploadId, url } = await declareArtwork(trade);
    existingIds.uploads.push(uploadId);
    existingIds.artwork.push(url);
  }
  for (const environment of ['test', 'live'])
    existingIds.deliveries.push(
      ...((await studio.get(`/deliveries?environment=${environment}`)).json.data as { id: string }[]).map(({ id }) => id),
    );
  return { testKey, existingIds };
}

/** One run of Schemathesis over one document, by schemathesis.toml. */
async function runSchemathesis({ api, url, seed, only, there, env }: Run): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'trade-print-contract-'));
  try {
    // Schemathesis reads dictionaries from the folder of the configuration.
    const config = join(folder, 'schemathesis.toml');
    copyFileSync(join(projectRoot, 'schemathesis.toml'), config);
    for (const [name, values] of Object.entries(there))
      writeFileSync(join(folder, `${name}.dict`), values.map((value) => `${JSON.stringify(value)}\n`).join(''));
    const document = join(folder, 'openapi.json');
    writeFileSync(document, JSON.stringify(api === 'trade' ? exactTradeDocument() : exactStudioDocument()));
    const report = join(folder, 'report.json');
    const args = [
      '-m',
      'schemathesis.cli',
      '--config-file',
      config,
      'run',
      document,
      '--url',
      new URL(api === 'trade' ? '/v1' : '/studio/v1', url).href,
    ];
    const perOperation = Math.ceil(CASES / OPERATIONS);
    const more = ['--seed', String(seed), '--max-examples', String(perOperation), '--report', 'json', '--report-json-path', report];
    printLine(`\n${api} API, seed ${seed} ${only.join(' ')}`);
    const code = await runProgram(toolPath('schemathesis'), [...args, ...more, ...only], env, folder);
    return { cases: readCaseCount(report), failed: code !== 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readCaseCount(report: string): number {
  return (JSON.parse(readFileSync(report, 'utf8')) as { test_cases: { generated: number } }).test_cases.generated;
}

function runProgram(command: string, args: string[], env: Record<string, string>, cwd: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env, NO_COLOR: '1' }, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Endpoints without a successful case. */
function findEndpointsWithoutSuccess(stack: Stack): string[] {
  const successes = new Set<string>();
  for (const line of stack.logOf('api').split('\n')) {
    const [, route = '', status = ''] = /"route":"([^"]+)","status":(\d+)/.exec(line) ?? [];
    if (status.startsWith('2')) successes.add(route);
  }
  return [...ENDPOINTS, ...STUDIO_ENDPOINTS]
    .filter(({ id, name }) => !STREAMING_OPERATIONS.includes(id) && !successes.has(name))
    .map(({ name }) => name);
}

/** Log lines of the API about internal errors. */
function findInternalErrors(stack: Stack): string[] {
  return stack
    .logOf('api')
    .split('\n')
    .filter((line) => line.includes('"internal error"'));
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
