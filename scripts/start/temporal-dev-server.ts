import { Connection } from '@temporalio/client';
import type { ManagedProcess } from './managed-process';
import { until } from './ports';
import type { ProcessKeeper } from './process-keeper';

/** Attributes operations staff search orders by in the Temporal Web UI. */
const SEARCH_ATTRIBUTES = ['OrderNumber', 'OrderStatus', 'TradeAccount', 'OrderEnvironment', 'DeliveryState', 'WebhookEndpoint'];

/** The dev server has one shard and handles 20 of its tasks a second by default: every burst would wait 50 ms each. */
const DYNAMIC_CONFIG = ['history.transferProcessorMaxPollRPS=1000', 'history.timerProcessorMaxPollRPS=1000'];

/**
 * A write-ahead log on disk doubles what the server does in a second. What a killed server had confirmed is there again; a power cut may
 * take its last moments.
 */
const ON_DISK = ['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal'];

const START_TIMEOUT_MS = 60_000;

export interface TemporalDevServerOptions {
  /** Path of the `temporal` command line. */
  executable: string;
  port: number;
  /** Undefined: no Web UI. */
  uiPort?: number;
  /** Undefined: everything in memory. */
  dbFile?: string;
  namespace?: string;
  logFile: string;
  keeper: ProcessKeeper;
}

/** Starts a Temporal server on 127.0.0.1 and returns when its namespace answers and knows our search attributes. */
export async function startTemporalDevServer(options: TemporalDevServerOptions): Promise<{ process: ManagedProcess; address: string }> {
  const namespace = options.namespace ?? 'default';
  const address = `127.0.0.1:${options.port}`;
  const server = await options.keeper.start({
    name: 'the Temporal server',
    command: options.executable,
    args: commandLine(options, namespace),
    logFile: options.logFile,
    stage: 1,
  });
  const answers = () => isReady(address, namespace);
  await server.whenReady(until('Temporal did not answer', answers, { timeoutMs: START_TIMEOUT_MS, signal: server.endSignal }));
  return { process: server, address };
}

function commandLine(options: TemporalDevServerOptions, namespace: string): string[] {
  const always = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(options.port), '--log-level', 'warn'];
  return [
    ...always,
    ...(options.uiPort === undefined ? ['--headless'] : ['--ui-port', String(options.uiPort)]),
    ...(options.dbFile === undefined ? [] : ['--db-filename', options.dbFile, ...ON_DISK]),
    ...(namespace === 'default' ? [] : ['--namespace', namespace]),
    ...DYNAMIC_CONFIG.flatMap((setting) => ['--dynamic-config-value', setting]),
    ...SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ];
}

async function isReady(address: string, namespace: string): Promise<true | undefined> {
  const connection = await Connection.connect({ address, connectTimeout: '2s' });
  try {
    await connection.workflowService.describeNamespace({ namespace });
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return SEARCH_ATTRIBUTES.every((name) => name in customAttributes) ? true : undefined;
  } finally {
    await connection.close();
  }
}
