import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { request } from 'undici';
import { HttpClient } from '../../support/client';
import { projectRoot } from '../../../scripts/start/project';
import { listen } from '../../support/listen';
import { TEST_SECRETS_KEY } from '../../support/secrets';
import { parseSamples, sumOf } from '../../support/prometheus';
import { expectSoon } from '../../support/wait-for';
import { SERVICES, type ServiceName } from './support/stack';
import { useStack } from './support/use-stack';

describe('the management listeners of the processes', () => {
  const stack = useStack(() => ({ env: { SHUTDOWN_DELAY: '10m' } }));
  beforeAll(() => stack.startPart('inspector'));

  async function read(service: ServiceName, path: string) {
    const { statusCode, body } = await request(`${stack.managementUrl(service)}${path}`);
    return { status: statusCode, text: await body.text() };
  }
  async function readReadiness(service: ServiceName) {
    const { status, text } = await read(service, '/readyz');
    return { status, body: JSON.parse(text) as { status: string; checks?: Record<string, string> } };
  }
  const expectReady = (service: ServiceName) =>
    expectSoon(() => readReadiness(service)).toMatchObject({
      status: 200,
      body: { status: 'ready', checks: { database: 'ok', migrations: 'ok' } },
    });

  it.each(SERVICES)('%s: is alive, becomes ready, and has metrics that Prometheus accepts', async (service) => {
    await expectReady(service);
    expect(await read(service, '/healthz')).toMatchObject({ status: 200 });
    const readSamples = async () => parseSamples((await read(service, '/metrics')).text);
    const samples = await readSamples();
    expect(sumOf(samples, 'target_info', { service_name: `trade-print-${service}` })).toBe(1);
    expect(sumOf(samples, 'db_client_connection_max')).toBeGreaterThan(0);
    // Temporal's metrics are left out if they do not arrive in two seconds.
    if (service !== 'api')
      await expectSoon(async () => sumOf(await readSamples(), 'temporal_worker_task_slots_available')).toBeGreaterThan(0);
    expect((await read(service, '//')).status).toBe(404); // invalid as a URL
  });

  it('a worker is not ready while Temporal does not answer, and names it', async () => {
    stack.freeze('temporal');
    try {
      await expectSoon(() => readReadiness('worker')).toMatchObject({
        status: 503,
        body: { checks: { database: 'ok', temporal: expect.stringMatching(/not reachable|does not answer/) } },
      });
    } finally {
      await stack.thaw('temporal');
    }
    await expectReady('worker');
  });

  it('after SIGTERM an API is not ready, but serves until SHUTDOWN_DELAY has passed', async () => {
    process.kill(stack.processOf('api')?.pid ?? 0, 'SIGTERM');
    await expectSoon(() => readReadiness('api')).toMatchObject({ status: 503, body: { status: 'stopping' } });
    expect((await request(`${new URL(stack.tradeUrl).origin}/readyz`)).statusCode).toBe(503);
    expect((await new HttpClient(stack.tradeUrl, 'no-key').get('/orders')).status).toBe(401);
  });
});

it.each(SERVICES)('SIGTERM ends the %s while it still starts, with code 0', async (service) => {
  const silent = createServer(); // accepts connections and does not answer
  const args = ['--require', join(projectRoot, 'test/support/runner/register-swc.cjs'), join(projectRoot, `src/processes/${service}.ts`)];
  const env = { ...process.env, NODE_ENV: 'test', SECRETS_KEY: TEST_SECRETS_KEY, DATABASE_URL: `postgres://u:p@${await listen(silent)}/d` };
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  await once(silent, 'connection');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  silent.close();
});
