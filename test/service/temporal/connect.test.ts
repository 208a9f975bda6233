import { createServer as createHttp2Server } from 'node:http2';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Client } from '@temporalio/client';
import { connectLazily } from '../../../src/temporal/connect';
import { currentBuild } from '../../../src/temporal/deployment';
import { temporalAddress } from '../../support/infrastructure';

/** Passes bytes on to Temporal until `cut` resets every connection. */
async function startTemporalProxy() {
  const sockets = new Set<Socket>();
  const [host, port] = (await temporalAddress()).split(':');
  const server = createServer((near) => {
    const far = connect(Number(port), host);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const connectTo = (address: string) => connectLazily({ address, namespace: 'default', apiKey: null, tls: null, buildId: null, uiUrl: '' });

describe('A connection to Temporal that is closed', () => {
  it('cancels a call that waits for a retry, instead of throwing an uncaught error', async () => {
    const road = await startTemporalProxy();
    const connection = await connectTo(road.address);
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
    road.cut();
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
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const connection = await connectTo(`127.0.0.1:${(server.address() as AddressInfo).port}`);
    const build = connection.withDeadline(Date.now() + (code === 14 ? 2_000 : 60_000), () => currentBuild(new Client({ connection })));
    expect(await build.catch(() => 'unavailable')).toBe(expected);
    await connection.close();
    server.close();
  });
});
