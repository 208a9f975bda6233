import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../workflows/search-attributes';
import type { ManagedProcess, ProcessManager } from './processes';
import { toolPath } from './tools';

const ATTRIBUTE_NAMES = Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name);

/** Raises the dev server's limit of 20 polls a second, at which each task of a burst would wait 50 ms. Short timers may be 10 ms late, not 1 s. */
const DYNAMIC_CONFIG = [
  'history.transferProcessorMaxPollRPS=1000',
  'history.timerProcessorMaxPollRPS=1000',
  'history.timerProcessorMaxTimeShift="10ms"',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
];

/**
 * A write-ahead log doubles the server's throughput. Confirmed writes survive if the server is killed. A power failure may lose the last
 * writes.
 */
const DISK_OPTIONS = ['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal'];

export interface TemporalDevServerOptions {
  port: number;
  /** Omit it to run without the Web UI. */
  uiPort?: number;
  /** Omit it to store everything in memory. */
  dbFile?: string;
  namespace?: string;
  logFile: string;
  processManager: ProcessManager;
}

/** Starts a Temporal server on 127.0.0.1. Returns when its namespace and search attributes exist. */
export async function startTemporalDevServer(options: TemporalDevServerOptions): Promise<{ process: ManagedProcess; address: string }> {
  const namespace = options.namespace ?? 'default';
  const address = `127.0.0.1:${options.port}`;
  const server = await options.processManager.start({
    name: 'the Temporal server',
    command: toolPath('temporal'),
    args: commandLineArguments(options, namespace),
    logFile: options.logFile,
    stage: 1,
  });
  await server.whenReady(() => isReady(address, namespace));
  return { process: server, address };
}

function commandLineArguments(options: TemporalDevServerOptions, namespace: string): string[] {
  const commonArguments = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(options.port), '--log-level', 'warn'];
  return [
    ...commonArguments,
    ...(options.uiPort === undefined ? ['--headless'] : ['--ui-port', String(options.uiPort)]),
    ...(options.dbFile === undefined ? [] : ['--db-filename', options.dbFile, ...DISK_OPTIONS]),
    ...(namespace === 'default' ? [] : ['--namespace', namespace]),
    ...DYNAMIC_CONFIG.flatMap((setting) => ['--dynamic-config-value', setting]),
    ...ATTRIBUTE_NAMES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ];
}

async function isReady(address: string, namespace: string): Promise<true | undefined> {
  const connection = await Connection.connect({ address, connectTimeout: '2s' });
  try {
    await connection.workflowService.describeNamespace({ namespace });
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return ATTRIBUTE_NAMES.every((name) => name in customAttributes) ? true : undefined;
  } finally {
    await connection.close();
  }
}
