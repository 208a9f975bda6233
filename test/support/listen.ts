import type { AddressInfo, Server } from 'node:net';

/** Makes a server listen on a free port of this machine. @returns its `host:port` */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
