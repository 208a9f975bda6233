import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findFreePort, waitUntil } from '../scripts/start/ports';
import { projectRoot } from '../scripts/start/project';
import { waitUntilReady } from '../scripts/start/services';
import type { CpuMeter } from './cpu';
import type { BenchWorkspace } from './workspace';

/** Base URLs of the listeners. */
export type ListenerUrls = Awaited<ReturnType<typeof startProcesses>>;

const TIMEOUT_MS = 90_000;

/** Starts the four processes of `npm start`, the floors and the webhook receiver. Returns when all are ready. */
export async function startProcesses(workspace: BenchWorkspace, cpu: CpuMeter, env: Record<string, string>) {
  const ports = await Promise.all(Array.from({ length: 6 }, findFreePort));
  const [trade, studio, storage, floor, floorRelay, receiver] = ports.map(String) as [string, string, string, string, string, string];
  const receiverUrl = urlOf(receiver);
  const common = {
    ...env,
    DATA_DIR: join(workspace.folder, 'data'),
    LOG_LEVEL: 'info',
    MANAGEMENT_PORT: '0',
    WEBHOOK_ALLOWED_ORIGINS: receiverUrl,
  };
  // Without source maps, as in the image.
  const start = async (name: string, script: string, extraEnv: Record<string, string> = {}): Promise<void> => {
    const { pid } = await workspace.processManager.start({
      name,
      command: process.execPath,
      args: [join(__dirname, script)],
      env: { ...process.env, ...common, ...extraEnv },
      cwd: projectRoot,
      logFile: join(workspace.folder, `${name.replace(' ', '-')}.log`),
      stage: 2,
      graceMs: 20_000,
    });
    cpu.add(pid);
  };
  await Promise.all([
    start('worker', '../src/processes/worker.js'),
    start('relay', '../src/processes/relay.js'),
    start('floor worker', 'floor/worker.js'),
    start('API', '../src/processes/api.js', { API_PORT: trade, STUDIO_PORT: studio, STORAGE_PORT: storage }),
    start('inspector', '../src/processes/inspector.js'),
    start('floor API', 'floor/api.js', { PORT: floor }),
    start('floor relay', 'floor/relay.js', { PORT: floorRelay, RECEIVER_URL: receiverUrl }),
    start('receiver', 'floor/receiver.js', { PORT: receiver }),
  ]);
  await Promise.all([...ports.map((port) => waitUntilListening(port)), waitUntilReady(urlOf(studio), new AbortController().signal)]);
  return { tradeUrl: urlOf(trade), studioUrl: urlOf(studio), floorUrl: urlOf(floor), floorRelayUrl: urlOf(floorRelay), receiverUrl };
}

const urlOf = (port: string): string => `http://127.0.0.1:${port}`;

function waitUntilListening(port: number): Promise<true> {
  const isListening = async (): Promise<true> => {
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    return true;
  };
  return waitUntil(`nothing listens on port ${port}`, isListening, { timeoutMs: TIMEOUT_MS });
}
