import { connect, createServer, type Server, type Socket } from 'node:net';
import { listen } from './listen';

/** A TCP connection to a server that can be cut, stalled and repaired. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private isStalled = false;
  private fatal: string | undefined;
  private constructor(
    private readonly server: Server,
    /** host:port */
    readonly address: string,
  ) {}

  /** @param target the `host:port` of the server */
  static async to(target: string): Promise<TcpProxy> {
    const [host = '', port = ''] = target.split(':');
    const server = createServer({ noDelay: true });
    const proxy = new TcpProxy(server, await listen(server));
    server.on('connection', (near) => {
      if (proxy.isCut) near.destroy();
      else if (proxy.isStalled) proxy.sockets.add(near.on('error', () => undefined));
      else proxy.join(near, connect({ host, port: Number(port), noDelay: true }));
    });
    return proxy;
  }

  /** Closes all connections, also new ones, until `mend`. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  /** From now on passes no bytes, but closes no connection and accepts new ones. Those stay dead after `mend`. */
  stall(): void {
    this.isStalled = true;
  }

  /** Closes all connections. New ones are accepted but get no response. */
  stick(): void {
    this.cut();
    this.isCut = false;
    this.stall();
  }

  /** A request that contains `text` still reaches the server. Instead of its response, the connection is cut. */
  cutAfter(text: string): void {
    this.fatal = text;
  }

  mend(): void {
    this.isCut = false;
    this.isStalled = false;
    this.fatal = undefined;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(near: Socket, far: Socket): void {
    let isDead = false;
    let isDoomed = false;
    const passes = (): boolean => !(isDead ||= this.isStalled);
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (bytes) => {
      isDoomed ||= this.fatal !== undefined && bytes.includes(this.fatal);
      if (passes()) far.write(bytes);
    });
    far.on('data', (bytes) => (isDoomed ? this.cut() : passes() && near.write(bytes)));
  }
}
