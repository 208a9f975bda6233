import { builtFile } from '../../../support/infrastructure';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { loadConfig } from '../../../../src/config/config';
import { createDependencies, type Dependencies } from '../../../../src/processes/dependencies';
import { openDatabase } from '../../../../src/db/database';
import { acceptAdminToken, seed } from '../../../../src/db/seed';
import { findFreePort, waitUntil } from '../../../../scripts/start/ports';
import { ensureDatabase, startPostgres } from '../../../../scripts/start/postgres';
import { createTemporaryFolder } from '../../../../scripts/start/postgres-account';
import { ProcessManager, type ManagedProcess, type ProcessEnd } from '../../../../scripts/start/processes';
import { projectRoot } from '../../../../scripts/start/project';
import { startTemporalDevServer } from '../../../../scripts/start/temporal-dev-server';
import { createLogger } from '../../../../src/platform/logger';
import { newStudioToken } from '../../../../src/security/api-keys';
import { TEST_SECRETS_KEY } from '../../../support/secrets';
import { startS3Gateway, type S3Gateway } from '../../../service/storage/s3-gateway';
import { freeze, type FrozenProcess } from './freeze';
import { requireBalancer, startBalancer, type Listeners } from './load-balancer';

const COPIED = ['api', 'worker', 'relay'] as const;
const PARTS = [...COPIED, 'temporal', 'postgres'] as const;
/** The inspector runs only if requested: no order and no production waits for it. */
type PartKind = (typeof PARTS)[number] | 'inspector';
/** Further copies of a process are numbered from 2. */
export type PartName = PartKind | `${(typeof COPIED)[number]} ${number}`;
export const kindOf = (part: PartName): PartKind => part.split(' ')[0] as PartKind;
/** Processes of the service. */
export const SERVICES = ['api', 'worker', 'relay', 'inspector'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** The names of the ports of a process. */
const studioOf = (api: PartName): string => `${api} studio`;
const managementOf = (part: PartName): string => `${part} management`;

export interface StackOptions {
  /** `built`: dist/, as in production. `source`: the TypeScript sources, for tests. */
  services: 'built' | 'source';
  /** The folder of dist/ and node_modules/ for `built`. Default: the project. */
  home?: string;
  /** For `built` only: starts the inspector too. */
  inspector?: boolean;
  /** Settings of the service's processes, in addition to the stack's own. */
  env?: Record<string, string>;
  postgresSettings?: Record<string, string>;
  /** Processes of API, worker and relay each. Default: 1. More share an S3 store, and their clients go through HAProxy. */
  copies?: number;
}

const READY_TIMEOUT_MS = 240_000;
/** More than the service takes on a slow machine. */
const TERMINATION_GRACE_MS = 60_000;
const RESTART_PAUSE_MS = 300;
const DATABASE_NAME = 'trade_print';

/**
 * The whole service as separate processes: PostgreSQL, Temporal with a database file, API, worker and relay, in one folder that is
 * removed at the end. Each can be killed and restarted, or paused and resumed. As under a process manager, a process of the service that
 * ends unexpectedly is restarted and counted.
 */
export class Stack {
  readonly env: Record<string, string>;
  readonly adminToken = newStudioToken();
  private readonly extraTokens = Array.from({ length: 20 }, () => newStudioToken());
  private turn = 0;
  /** Unexpected ends of the service's processes, such as a start during a database outage. */
  readonly unexpectedExits: { part: PartName; code: number | null; lastLines: string }[] = [];
  /** Where PostgreSQL keeps its files. */
  readonly clusterDir: string;
  /** All parts that `start` starts, without the inspector. */
  readonly parts: readonly PartName[];
  private readonly processManager: ProcessManager;
  private readonly running = new Map<PartName, ManagedProcess>();
  private readonly frozen = new Map<PartName, FrozenProcess>();
  private readonly expectedParts = new Set<PartName>();
  private readonly password = randomBytes(16).toString('hex');
  private opened: Dependencies[] = [];
  private artworkStore: S3Gateway | undefined;

  private constructor(
    private readonly options: StackOptions,
    readonly folder: string,
    private readonly ports: Record<string, number>,
  ) {
    this.parts = listParts(options);
    this.processManager = new ProcessManager(folder, 'temporary');
    this.clusterDir = join(folder, 'postgres');
    this.env = {
      DATABASE_URL: `postgres://postgres:${this.password}@127.0.0.1:${ports.postgres}/${DATABASE_NAME}`,
      TEMPORAL_ADDRESS: `127.0.0.1:${ports.temporal}`,
      DATA_DIR: join(folder, 'data'),
      API_PORT: String(ports.api),
      STUDIO_PORT: String(ports[studioOf('api')]),
      STORAGE_PORT: String(ports.storage),
      STUDIO_ADMIN_TOKEN: this.adminToken,
      NODE_ENV: 'test',
      SECRETS_KEY: TEST_SECRETS_KEY,
      ...(this.isBalanced && { PUBLIC_BASE_URL: this.tradeUrl, TRUSTED_PROXIES: '127.0.0.1/32' }),
      ...options.env,
    };
  }

  static async create(options: StackOptions): Promise<Stack> {
    if ((options.copies ?? 1) > 1) requireBalancer();
    const folder = createTemporaryFolder('trade-print-faults-');
    const ports: Record<string, number> = {};
    const parts: PartName[] = [...listParts(options), 'inspector'];
    for (const name of [...parts, ...parts.map(studioOf), ...parts.map(managementOf), 'storage', 'trade', 'studio'])
      ports[name] = await findFreePort();
    return new Stack(options, folder, ports);
  }

  /** Returns the admin tokens in rotation, because each has a rate limit. */
  get studioToken(): string {
    return this.extraTokens[(this.turn += 1) % this.extraTokens.length] ?? this.adminToken;
  }

  /** Whether clients go through HAProxy. */
  private get isBalanced(): boolean {
    return this.parts.length > PARTS.length;
  }

  private get services(): PartName[] {
    return this.parts.filter((part) => part !== 'temporal' && part !== 'postgres');
  }

  private get apis(): Listeners[] {
    return this.parts.filter((part) => kindOf(part) === 'api').map((part) => this.listenersOf(part));
  }

  /** The ports that clients call. */
  private get entry(): Listeners {
    return this.isBalanced ? { trade: this.portOf('trade'), studio: this.portOf('studio') } : this.listenersOf('api');
  }

  private listenersOf(api: PartName): Listeners {
    return { trade: this.portOf(api), studio: this.portOf(studioOf(api)) };
  }

  private portOf(name: string): number {
    return this.ports[name] ?? 0;
  }

  get tradeUrl(): string {
    return `http://127.0.0.1:${this.entry.trade}/v1`;
  }

  managementUrl(service: ServiceName): string {
    return `http://127.0.0.1:${this.ports[managementOf(service)]}`;
  }

  get studioUrl(): string {
    return `http://127.0.0.1:${this.entry.studio}/studio/v1`;
  }

  /** Starts everything on a migrated and seeded database. */
  async start(): Promise<void> {
    await Promise.all([this.startPart('temporal'), this.startPart('postgres').then(() => this.prepare())]);
    if (this.isBalanced) {
      this.artworkStore = await startS3Gateway();
      Object.assign(this.env, this.artworkStore.env);
      await startBalancer(this.processManager, this.folder, this.entry, this.apis);
    }
    await Promise.all(this.services.map((part) => this.startPart(part)));
    if (this.options.inspector === true) await this.startPart('inspector');
    await this.whenReady();
  }

  async prepare(): Promise<void> {
    const database = await openDatabase(this.env.DATABASE_URL ?? '', 2);
    try {
      await database.migrate();
      await seed(database, new Date());
      for (const token of [this.adminToken, ...this.extraTokens]) await acceptAdminToken(database, token, new Date());
    } finally {
      await database.close();
    }
  }

  /** Dependencies for the service's code, to inspect the records in this process. They are closed with the stack. */
  async dependencies(clockAheadMs = 0): Promise<Dependencies> {
    const deps = await createDependencies(loadConfig({ ...this.env, DATABASE_POOL_SIZE: '6' }), 'faults', {
      logger: createLogger('silent', 'faults'),
      clock: { now: () => new Date(Date.now() + clockAheadMs) },
    });
    this.opened.push(deps);
    return deps;
  }

  /** The process that runs as this part; undefined if it does not run. */
  processOf(part: PartName): ManagedProcess | undefined {
    return this.running.get(part);
  }

  /** The log of this part from all of its processes. */
  logOf(part: ServiceName): string {
    return readFileSync(join(this.folder, `${part}.log`), 'utf8');
  }

  /** SIGKILL; resolves when the process is gone. False when it was not running. */
  async kill(part: PartName): Promise<boolean> {
    this.expectedParts.delete(part);
    const victim = this.running.get(part);
    if (victim === undefined || victim.hasEnded()) return false;
    victim.stopRequested = true;
    process.kill(victim.pid, 'SIGKILL');
    await Promise.all([victim.ended, this.thaw(part)]);
    return true;
  }

  /** Pauses the process and its children with SIGSTOP until `thaw` or the end. False if it is not running or already paused. */
  freeze(part: PartName): boolean {
    const victim = this.running.get(part);
    if (victim === undefined || victim.hasEnded() || this.frozen.has(part)) return false;
    this.frozen.set(part, freeze(victim.pid));
    return true;
  }

  /** Resumes it with SIGCONT. */
  async thaw(part: PartName): Promise<void> {
    const frozen = this.frozen.get(part);
    this.frozen.delete(part);
    await frozen?.thaw();
  }

  /** Sends SIGTERM, and SIGKILL a minute later, like a process manager. @returns how the process ended */
  async terminate(part: PartName): Promise<ProcessEnd> {
    this.expectedParts.delete(part);
    const running = this.running.get(part);
    if (running === undefined) throw new Error(`the ${part} was never started`);
    await running.stop();
    return running.ended;
  }

  /** Starts a part; resolves when PostgreSQL or Temporal responds, or when the service's process exists. */
  async startPart(part: PartName): Promise<void> {
    this.expectedParts.add(part);
    if (part === 'postgres') return this.startPostgres();
    if (part === 'temporal') return this.startTemporal();
    const started = await this.startService(part);
    this.running.set(part, started);
    void started.ended.then(({ code }) => this.restartAfterExit(part, started, code));
  }

  /** Waits until `GET /readyz` of every API reports every started part as ready, and HAProxy has an API. */
  async whenReady(): Promise<void> {
    await waitUntil(
      'the service did not become ready',
      async () => {
        for (const listeners of [this.entry, ...(this.isBalanced ? this.apis : [])]) {
          const { status, checks: all } = await this.readiness(listeners);
          const { inspector, ...others } = all;
          const checks = this.options.inspector === true ? { ...others, inspector } : others;
          if (status !== 200 || Object.values(checks).some((state) => state !== 'ok'))
            throw new Error(`${status} ${JSON.stringify(checks)}`);
        }
        return true;
      },
      { timeoutMs: READY_TIMEOUT_MS, everyMs: 100 },
    );
  }

  /** The status of `GET /readyz` on the trade listener, and the checks on the studio's. */
  async readiness(listeners = this.entry): Promise<{ status: number; checks: Record<string, string> }> {
    const ask = (port: number): Promise<Response> => fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(10_000) });
    const [trade, studio] = await Promise.all([ask(listeners.trade), ask(listeners.studio)]);
    const { data } = (await studio.json()) as { data: { checks: Record<string, string> } };
    return { status: trade.status, checks: data.checks };
  }

  /** Ends everything and removes the folder. The service's processes have no work left. */
  async close(): Promise<void> {
    this.expectedParts.clear();
    await Promise.all(this.parts.map((part) => this.thaw(part)));
    for (const deps of this.opened.splice(0)) await deps.close().catch(() => undefined);
    await Promise.all([...this.services, 'inspector' as const].map((part) => this.kill(part)));
    await this.processManager.stopAll();
    await this.artworkStore?.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private async restartAfterExit(part: PartName, ended: ManagedProcess, code: number | null): Promise<void> {
    if (!this.expectedParts.has(part)) return;
    this.unexpectedExits.push({ part, code, lastLines: readFileSync(ended.options.logFile, 'utf8').slice(-3000) });
    await delay(RESTART_PAUSE_MS);
    // A concurrent kill may have restarted it already.
    if (this.expectedParts.has(part) && this.running.get(part) === ended) await this.startPart(part).catch(() => undefined);
  }

  private startService(part: PartName): Promise<ManagedProcess> {
    const service = kindOf(part);
    const args =
      this.options.services === 'built'
        ? ['--enable-source-maps', join(this.options.home ?? projectRoot, 'dist', 'src', 'processes', `${service}.js`)]
        : service === 'inspector' // its decoder is a program that needs compiling
          ? ['--enable-source-maps', builtFile('src', 'processes', 'inspector.js')]
          : [
              '--require',
              join(projectRoot, 'test', 'support', 'runner', 'register-swc.cjs'),
              join(projectRoot, 'src', 'processes', `${service}.ts`),
            ];
    return this.processManager.start({
      name: `the ${part}`,
      command: process.execPath,
      args,
      env: {
        ...process.env,
        ...this.env,
        ...(service === 'api' && part !== 'api' && { API_PORT: `${this.portOf(part)}`, STUDIO_PORT: `${this.portOf(studioOf(part))}` }),
        MANAGEMENT_PORT: `${this.portOf(managementOf(part))}`,
      },
      logFile: join(this.folder, `${part}.log`),
      stage: 2,
      graceMs: TERMINATION_GRACE_MS,
    });
  }

  /** Repeats the start, because child processes of a killed PostgreSQL use the cluster for a moment. */
  private async startPostgres(): Promise<void> {
    const postgres = await retryStart('PostgreSQL', () =>
      startPostgres({
        clusterDir: this.clusterDir,
        password: this.password,
        port: this.ports.postgres ?? 0,
        logFile: join(this.folder, 'postgres.log'),
        settings: { max_connections: String(100 * (this.options.copies ?? 1)), ...this.options.postgresSettings },
        processManager: this.processManager,
      }),
    );
    this.running.set('postgres', postgres.process);
    await retryStart('the database', () => ensureDatabase(postgres.urlOf('postgres'), DATABASE_NAME).then(() => true));
  }

  private async startTemporal(): Promise<void> {
    const temporal = await retryStart('Temporal', () =>
      startTemporalDevServer({
        port: this.ports.temporal ?? 0,
        dbFile: join(this.folder, 'temporal.db'),
        logFile: join(this.folder, 'temporal.log'),
        processManager: this.processManager,
      }),
    );
    this.running.set('temporal', temporal.process);
  }
}

function listParts({ copies = 1 }: StackOptions): PartName[] {
  const further = Array.from({ length: copies - 1 }, (_, index) => COPIED.map((service): PartName => `${service} ${index + 2}`));
  return [...PARTS, ...further.flat()];
}

function retryStart<T>(what: string, start: () => Promise<T>): Promise<T> {
  return waitUntil(`${what} did not start`, start, { timeoutMs: READY_TIMEOUT_MS, everyMs: 200 });
}
