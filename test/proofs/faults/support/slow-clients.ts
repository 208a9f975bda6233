import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const DRIP_MS = 100;

/** Clients that hold a connection as long as possible. */
export class SlowClients {
  /** The responses in order of arrival. */
  readonly answers: string[] = [];
  private readonly sockets: Socket[] = [];
  private readonly dripping: Socket[] = [];
  private next = 0;
  private readonly timer = setInterval(() => this.sendDrops(), DRIP_MS);

  constructor(private readonly port: number) {}

  /** Connections that the server has not closed. */
  get openCount(): number {
    return this.sockets.filter(({ closed }) => !closed).length;
  }

  /** These clients send `begin` at once, and then one byte after the other. */
  async openDripping(count: number, begin: (index: number) => string): Promise<void> {
    await this.openConnections(count, (socket, index) => {
      const place = this.answers.push('') - 1;
      socket.on('data', (chunk: Buffer) => (this.answers[place] += chunk.toString('latin1')));
      this.dripping.push(socket);
      socket.write(begin(index));
    });
  }

  /** These clients send complete requests and never read the response. */
  async openNonReading(count: number, request: (index: number) => string): Promise<void> {
    await this.openConnections(count, (socket, index) => {
      socket.pause();
      socket.write(request(index));
    });
  }

  /** Closes without a message. */
  closeAll(): void {
    clearInterval(this.timer);
    for (const socket of this.sockets) socket.destroy();
  }

  private async openConnections(count: number, begin: (socket: Socket, index: number) => void): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      // These clients stay open when the server closes, like real slow clients: the server has to end them.
      const socket = connect({ port: this.port, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => undefined);
      this.sockets.push(socket);
      await once(socket, 'connect');
      begin(socket, index);
    }
  }

  /** Each second, a tenth of the clients send a byte. */
  private sendDrops(): void {
    for (let sent = 0; sent < this.dripping.length / 10; sent += 1) {
      const socket = this.dripping[this.next % this.dripping.length];
      this.next += 1;
      if (socket?.writable) socket.write('a');
    }
  }
}
