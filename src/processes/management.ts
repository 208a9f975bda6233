import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config/config';
import { closeServer, listen } from '../http-server/listen';
import type { Logger } from '../platform/logger';
import { cacheChecks, type ReadinessCheck } from '../runtime/readiness';
import type { Telemetry } from '../telemetry/telemetry';
import { RELEASE } from '../platform/version';

export interface ManagementDeps {
  config: Pick<Config, 'managementPort' | 'bindAddress'>;
  telemetry: Pick<Telemetry, 'prometheusText'>;
  logger: Logger;
}

interface ManagementOptions {
  checks: Record<string, ReadinessCheck>;
  stopSignal: AbortSignal;
  /** Temporal Core's metrics in the Prometheus text format. */
  coreMetrics?: () => Promise<string>;
}

/** The management listener of a process: metrics, liveness and readiness (docs/operations/observability.md). It has no authentication. */
export async function startManagement(
  { config, telemetry, logger }: ManagementDeps,
  { checks, stopSignal, coreMetrics = () => Promise.resolve('') }: ManagementOptions,
): Promise<{ port: number; close(): Promise<void> }> {
  const readChecks = cacheChecks(checks);
  const pages: Record<string, () => Promise<[status: number, contentType: string, body: string]>> = {
    '/metrics': async () => [
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      (await Promise.all([telemetry.prometheusText(), coreMetrics()])).join(''),
    ],
    '/healthz': () => Promise.resolve([200, 'application/json', JSON.stringify({ status: 'ok', ...RELEASE })]),
    '/readyz': async () => {
      const results = await readChecks();
      const isReady = !stopSignal.aborted && Object.values(results).every((result) => result === 'ok');
      const status = stopSignal.aborted ? 'stopping' : isReady ? 'ready' : 'not ready';
      return [isReady ? 200 : 503, 'application/json', JSON.stringify({ status, checks: results })];
    },
  };
  const handle = async ({ url = '', method = '' }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const page = pages[url.split('?', 1)[0] ?? ''];
    const isRead = method === 'GET' || method === 'HEAD';
    try {
      const [status, contentType, body] =
        page === undefined
          ? [404, 'text/plain', 'this port has /metrics, /healthz and /readyz\n']
          : isRead
            ? await page()
            : [405, 'text/plain', 'use GET\n'];
      response.writeHead(status, { 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(method === 'HEAD' ? undefined : body);
    } catch (error) {
      logger.error({ err: error }, 'the management listener failed');
      response.writeHead(500).end();
    }
  };
  const server = await listen(handle, config.managementPort, config.bindAddress);
  const { port } = server.address() as AddressInfo;
  logger.info({ port }, 'management listener');
  return { port, close: () => closeServer(server) };
}
