import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP connection to a server that can be cut and repaired. */
export class Wire {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private isStuck = false;
  private constructor(private readonly server: Server) {}

  static async to(address: string): Promise<Wire> {
    const [host = '', port = ''] = address.split(':');
    const server = createServer();
    const wire = new Wire(server);
    server.on('connection', (near) => {
      if (!wire.isStuck) wire.join(near, connect(Number(port), host));
      else wire.sockets.add(near.on('error', () => undefined));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    return wire;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  /** Closes all connections. New ones are accepted but get no response. */
  stick(): void {
    this.cut();
    this.isCut = false;
    this.isStuck = true;
  }

  mend(): void {
    this.isCut = false;
    this.isStuck = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(near: Socket, far: Socket): void {
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
    if (this.isCut) near.destroy();
  }
}
