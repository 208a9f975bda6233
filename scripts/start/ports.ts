import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { SetupError } from './setup-error';

/** Tries to listen on a port. Returns the error code, or undefined if the port is free. */
export function findListenError(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}

/** Ports below the system's range for outgoing connections, because such a connection could take the port before its server starts. */
const FIRST_PORT = 15_000;
const PORT_COUNT = 17_000;

/** A server may start seconds after its port was found. Test processes therefore draw from separate parts of the range. */
const PARTS = 8;
const PORTS_PER_PART = Math.floor(PORT_COUNT / PARTS);
const firstPortOfPart = FIRST_PORT + PORTS_PER_PART * (Number(process.env['JEST_WORKER_ID'] ?? 0) % PARTS);

/** Ports are drawn in sequence, so none is soon returned again. */
let nextPort = Math.floor(Math.random() * PORTS_PER_PART);

/** Returns a free port of 127.0.0.1. @throws Error after a hundred attempts */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = firstPortOfPart + (nextPort++ % PORTS_PER_PART);
    if ((await findListenError(port, '127.0.0.1')) === undefined) return port;
  }
  throw new Error(`no free port found between ${firstPortOfPart} and ${firstPortOfPart + PORTS_PER_PART}`);
}

/**
 * Repeats `attempt` until it returns a value other than undefined, also after errors. The SetupError after the timeout contains the last
 * error. An abort of `signal`, for example because the awaited process has ended, stops the repetition.
 */
export async function waitUntil<T>(
  failureMessage: string,
  attempt: () => Promise<T | undefined>,
  options: { timeoutMs: number; everyMs?: number; signal?: AbortSignal },
): Promise<T> {
  const deadline = Date.now() + options.timeoutMs;
  let lastError: unknown;
  for (;;) {
    options.signal?.throwIfAborted();
    try {
      const value = await attempt();
      if (value !== undefined) return value;
    } catch (error) {
      lastError = error;
    }
    if (Date.now() >= deadline) {
      const reason = lastError instanceof Error ? `: ${lastError.message}` : '';
      throw new SetupError(`${failureMessage} within ${Math.round(options.timeoutMs / 1000)} s${reason}`, { cause: lastError });
    }
    await delay(options.everyMs ?? 50, undefined, { signal: options.signal }).catch(() => undefined);
  }
}
