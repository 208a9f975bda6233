import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface MutableProxy {
  /** host:port of the proxy. */
  address: string;
  /** From now on bytes from this side are lost. The connections stay open. */
  mute(): void;
  close(): Promise<void>;
}

/** A TCP line that can lose bytes like a failing network. */
export async function startMutableProxy(target: string): Promise<MutableProxy> {
  const [host, port] = target.split(':');
  let isMuted = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect({ host: host ?? '', port: Number(port), noDelay: true });
    near.setNoDelay(true);
    near.on('data', (chunk) => {
      if (!isMuted) far.write(chunk);
    });
    far.on('data', (chunk) => near.write(chunk));
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    mute() {
      isMuted = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
