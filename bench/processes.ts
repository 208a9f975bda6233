import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import type { ManagedProcess } from '../dev/managed-process';
import { freePort } from '../dev/ports';
import { ORDERS_TASK_QUEUE } from '../workflows/messages';
import { WEBHOOKS_TASK_QUEUE } from '../workflows/webhook-messages';
import type { CpuMeter } from './cpu';
import { FLOOR_TASK_QUEUE } from './floor/messages';
import { whenListening, whenPolled } from './ready';
import { startNode, type Site } from './site';

export interface RunningApi {
  process: ManagedProcess;
  tradeUrl: string;
  studioUrl: string;
}

const urlOf = (port: number): string => `http://127.0.0.1:${port}`;

/** The Node processes of a stage. Each is ready when its start returns, and its CPU time counts from then on. */
export class Processes {
  constructor(
    private readonly site: Site,
    private readonly client: Client,
    private readonly cpu: CpuMeter,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /** The same with other settings, as `client` sees them. */
  with(env: Readonly<Record<string, string>>, client: Client = this.client): Processes {
    return new Processes(this.site, client, this.cpu, { ...this.env, ...env });
  }

  /** With a data folder of its own: the embedded store belongs to one process. */
  async startApi(name: string, nodeArgs: readonly string[] = [], env: Record<string, string> = {}): Promise<RunningApi> {
    const [trade, studio, storage] = [await freePort(), await freePort(), await freePort()];
    const started = await this.start(
      'API',
      name,
      '../src/server.js',
      {
        API_PORT: String(trade),
        STUDIO_PORT: String(studio),
        STORAGE_PORT: String(storage),
        DATA_DIR: join(this.site.folder, name),
        ...env,
      },
      nodeArgs,
    );
    await whenListening(trade, studio);
    return { process: started, tradeUrl: urlOf(trade), studioUrl: urlOf(studio) };
  }

  async startWorker(name: string): Promise<ManagedProcess> {
    const started = await this.start('worker', name, '../src/worker.js');
    await whenPolled(this.client, [ORDERS_TASK_QUEUE], started.pid);
    return started;
  }

  /** Ready when it works on retries too, which is a while after it has begun to relay. */
  async startRelay(name: string): Promise<ManagedProcess> {
    const started = await this.start('relay', name, '../src/relay.js');
    await whenPolled(this.client, [WEBHOOKS_TASK_QUEUE], started.pid);
    return started;
  }

  /** The bare relay of the floor. @returns where it is asked to drain */
  async startFloorRelay(): Promise<{ process: ManagedProcess; url: string }> {
    const port = await freePort();
    const started = await this.start('floor relay', 'floor-relay', 'floor/relay.js', { PORT: String(port) });
    await whenListening(port);
    return { process: started, url: urlOf(port) };
  }

  /** The floor's worker and API, and the receiver of its posts and of webhooks. @returns where the floor's API listens */
  async startFloor(receiver: number): Promise<string> {
    const api = await freePort();
    const worker = await this.start('floor worker', 'floor-worker', 'floor/worker.js');
    await this.start('floor API', 'floor-api', 'floor/api.js', { PORT: String(api) });
    await this.start('receiver', 'receiver', 'floor/receiver.js', { PORT: String(receiver) });
    await Promise.all([whenListening(api, receiver), whenPolled(this.client, [FLOOR_TASK_QUEUE], worker.pid)]);
    return urlOf(api);
  }

  private async start(
    kind: string,
    name: string,
    script: string,
    more: Record<string, string> = {},
    nodeArgs: readonly string[] = [],
  ): Promise<ManagedProcess> {
    const started = await startNode(this.site, name, script, { DATA_DIR: join(this.site.folder, 'data'), ...this.env, ...more }, nodeArgs);
    this.cpu.add(kind, started.pid);
    return started;
  }
}
