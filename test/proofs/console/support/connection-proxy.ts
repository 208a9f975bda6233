import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A line between a browser and a listener. It can be cut, or go dead. */
export interface ConnectionProxy {
  /** URL for the browser. The listener gets the same host name as the page. */
  origin: string;
  /** Ends every connection and accepts no new one, until it is restored. */
  cut(): void;
  /** From now on passes no bytes, but ends no connection and accepts new ones. Those stay dead after a restore. */
  stall(): void;
  restore(): void;
  /** A request that contains `text` still reaches the listener, but its response does not return: then the line is cut. */
  cutAfter(text: string): void;
  close(): Promise<void>;
}

/** A line over TCP to a port of this machine. */
export async function startConnectionProxy(port: number): Promise<ConnectionProxy> {
  const open = new Set<Socket>();
  let isCut = false;
  let isStalled = false;
  let fatal: string | undefined;
  const cut = (): void => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  const server = createServer((browser) => {
    if (isCut) return void browser.destroy();
    const listener = connect(port, '127.0.0.1');
    let isDoomed = false;
    let isDead = isStalled;
    const passes = (): boolean => !(isDead ||= isStalled);
    for (const socket of [browser, listener]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        browser.destroy();
        listener.destroy();
      });
    }
    browser.on('data', (bytes) => {
      isDoomed ||= fatal !== undefined && bytes.includes(fatal);
      if (passes()) listener.write(bytes);
    });
    // A response to the request that cuts the line: the request was processed.
    listener.on('data', (bytes) => (isDoomed ? cut() : passes() && browser.write(bytes)));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    stall: () => (isStalled = true),
    restore: () => {
      isCut = isStalled = false;
      fatal = undefined;
    },
    cutAfter: (text) => (fatal = text),
    close: () => {
      cut();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
