import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { temporal } from '@temporalio/proto';
import { bundleWorkflowCode, DefaultLogger, Worker, type ReplayResult } from '@temporalio/worker';
import { QUEUE_OF, WORKFLOW_QUEUES, workflowBundle as builtBundle } from '../../../src/temporal/workflow-bundle';
import { installRuntime } from '../../support/temporal-runtime';

const FOLDER = path.join(__dirname, 'histories');
const historyNames = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''))
  .sort();

interface RecordedHistory {
  workflowId: string;
  events: { workflowExecutionStartedEventAttributes?: { workflowType?: { name?: string } } }[];
}

const readHistory = (name: string): RecordedHistory => JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8'));

const workflowTypeOf = (name: string): string =>
  readHistory(name).events[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name ?? '';

async function replay(
  workflowBundle: Awaited<ReturnType<typeof builtBundle>>,
  which: string[],
): Promise<Map<string, ReplayResult['error']>> {
  const histories = which.map((name) => ({ workflowId: name, history: temporal.api.history.v1.History.fromObject(readHistory(name)) }));
  const results = new Map<string, ReplayResult['error']>();
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle, replayName: 'recorded' }, histories))
    results.set(workflowId, error);
  return results;
}

describe('recorded histories', () => {
  beforeAll(installRuntime);

  it('cover every kind of run', () => {
    expect(historyNames).toEqual([
      'attention',
      'document-send',
      'order-awaiting-artwork',
      'order-behind-its-row',
      'order-cancelled',
      'order-cancelled-unconfirmed',
      'order-completed',
      'order-continued-first',
      'order-continued-second',
      'order-corrected',
      'order-gone',
      'order-resent',
      'order-resumed',
      'order-retries',
      'order-signalled',
      'order-unknown',
      'order-whole-life',
      'quote-expiry-expired',
      'quote-expiry-late',
      'quote-expiry-ordered',
      'reminders',
      'retention',
      'statement-run',
      'statement-run-resumed',
      'sweep',
      'webhook-failed',
      'webhook-held',
      'webhook-ping',
      'webhook-resent',
      'webhook-retried',
      'webhook-superseded',
      'webhook-waited-for-room',
    ]);
    expect(new Set(historyNames.map(workflowTypeOf))).toEqual(
      new Set([
        'attention',
        'documentSend',
        'order',
        'quoteExpiry',
        'reminders',
        'retention',
        'statementRun',
        'sweep',
        'webhookDelivery',
        'webhookPing',
      ]),
    );
  });

  it('replay with the current workflows', async () => {
    for (const queue of WORKFLOW_QUEUES) {
      const ofQueue = historyNames.filter((name) => QUEUE_OF[workflowTypeOf(name)] === queue);
      const results = await replay(await builtBundle(queue), ofQueue);
      expect(results.size).toBe(ofQueue.length);
      expect([...results].filter(([, error]) => error !== undefined)).toEqual([]);
    }
  });

  it('fail to replay with an incompatible change', async () => {
    const changed = await bundleWorkflowCode({
      workflowsPath: path.join(__dirname, 'changed-workflows.ts'),
      logger: new DefaultLogger('ERROR'),
    });
    const results = await replay(changed, ['order-whole-life', 'webhook-retried', 'quote-expiry-ordered', 'webhook-ping']);
    expect([...results].map(([name, error]) => [name, error?.name])).toEqual([
      ['order-whole-life', 'DeterminismViolationError'],
      ['webhook-retried', 'DeterminismViolationError'],
      ['quote-expiry-ordered', undefined],
      ['webhook-ping', undefined],
    ]);
  });

  it('replay with the same change behind `patched`', async () => {
    const patched = await bundleWorkflowCode({
      workflowsPath: path.join(__dirname, 'patched-workflows.ts'),
      logger: new DefaultLogger('ERROR'),
    });
    const results = await replay(patched, historyNames);
    expect([...results].filter(([, error]) => error !== undefined)).toEqual([]);
  });

  it('name no machine and no customer', () => {
    for (const name of historyNames) {
      const file = readFileSync(path.join(FOLDER, `${name}.json`), 'utf8');
      const payloads = [...file.matchAll(/"data":"([^"]*)"/g)].map(([, data]) => Buffer.from(data ?? '', 'base64').toString('utf8'));
      const found = /Ada Customer|ada@example|Hanging Lane|dunes|Gallery North|\d+@|\/(home|tmp|root|work)\//.exec(
        `${file}\n${payloads.join('\n')}`,
      );
      expect(`${name}: ${found?.[0] ?? 'clean'}`).toBe(`${name}: clean`);
    }
  });
});
