import { createServer as createHttp2Server } from 'node:http2';
import { Client } from '@temporalio/client';
import { connectLazily } from '../../../src/temporal/connect';
import { currentBuild } from '../../../src/temporal/deployment';
import { temporalAddress } from '../../support/infrastructure';
import { listen } from '../../support/listen';
import { TcpProxy } from '../../support/tcp-proxy';

const connectTo = (address: string) => connectLazily({ address, namespace: 'default', apiKey: null, tls: null, buildId: null, uiUrl: '' });

describe('A connection to Temporal on this machine', () => {
  it('uses no proxy', async () => {
    const names = ['no_grpc_proxy', 'no_proxy', 'NO_PROXY', 'grpc_proxy', 'https_proxy', 'http_proxy'];
    const environment = { ...process.env };
    for (const name of names) delete process.env[name];
    process.env['http_proxy'] = 'http://127.0.0.1:1';
    try {
      const connection = await connectTo(await temporalAddress());
      const info = connection.withDeadline(Date.now() + 60_000, () => connection.workflowService.getSystemInfo({}));
      expect(await info).toHaveProperty('serverVersion');
      await connection.close();
    } finally {
      delete process.env['http_proxy'];
      for (const name of names) if (environment[name] !== undefined) process.env[name] = environment[name];
    }
  });
});

describe('A connection to Temporal that is closed', () => {
  it('cancels a call that waits for a retry, instead of throwing an uncaught error', async () => {
    const proxy = await TcpProxy.to(await temporalAddress());
    const connection = await connectTo(proxy.address);
    await connection.workflowService.getSystemInfo({});
    const call = connection.withDeadline(Date.now() + 60_000, () =>
      connection.workflowService.pollWorkflowTaskQueue({ namespace: 'default', taskQueue: { name: 'nobody-works-here' } }),
    );
    const ended = call.then(
      () => null,
      (error: unknown) => error,
    );
    await connection.workflowService.getSystemInfo({}); // the poll has been sent before this call
    await connection.close();
    await proxy.close();
    expect(await ended).toMatchObject({ code: 1, details: 'Channel has been shut down' });
  });
});

describe('The current build', () => {
  it.each([
    ['a server without worker deployments', 12, null],
    ['a credential without the right to read them', 7, null],
    ['an unreachable server', 14, 'unavailable'],
  ])('with %s', async (_what, code, expected) => {
    const server = createHttp2Server().on('stream', (stream) => {
      stream.respond({ 'content-type': 'application/grpc', 'grpc-status': code, 'grpc-message': 'refused' }, { endStream: true });
    });
    const connection = await connectTo(await listen(server));
    const build = connection.withDeadline(Date.now() + (code === 14 ? 2_000 : 60_000), () => currentBuild(new Client({ connection })));
    expect(await build.catch(() => 'unavailable')).toBe(expected);
    await connection.close();
    server.close();
  });
});
