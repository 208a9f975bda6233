import { connect, createServer, type Server, type Socket } from 'node:net';
import { listen } from './listen';

/** One round trip to PostgreSQL: the statements that a connection sent before the next answer. */
export interface RoundTrip {
  statements: string[];
}

const SSL_REQUEST = 80877103;

/** Reads the statements that a client sends (https://www.postgresql.org/docs/18/protocol-message-formats.html). */
class StatementReader {
  private rest = Buffer.alloc(0);
  private hasStarted = false;
  private readonly prepared = new Map<string, string>();

  read(chunk: Buffer): string[] {
    this.rest = Buffer.concat([this.rest, chunk]);
    const statements: string[] = [];
    for (;;) {
      const header = this.hasStarted ? 1 : 0;
      if (this.rest.length < header + 4) return statements;
      const end = header + this.rest.readInt32BE(header);
      if (this.rest.length < end) return statements;
      const message = this.rest.subarray(0, end);
      this.rest = this.rest.subarray(end);
      if (!this.hasStarted) this.hasStarted = message.readInt32BE(4) !== SSL_REQUEST;
      else statements.push(...this.statementsOf(String.fromCharCode(message[0] ?? 0), message.subarray(5)));
    }
  }

  /** A query, or the bind of a parsed statement. */
  private statementsOf(type: string, body: Buffer): string[] {
    const [first = '', second = ''] = body.toString('latin1').split('\0', 2);
    if (type === 'P') this.prepared.set(first, second);
    if (type === 'Q') return [first.trim()];
    return type === 'B' ? [(this.prepared.get(second) ?? '').trim()] : [];
  }
}

/**
 * A proxy of PostgreSQL that counts round trips. It must run in the process of its client. It then reads all statements that the client
 * wrote at once, before it can read an answer.
 */
export class RoundTrips {
  private readonly sockets = new Set<Socket>();
  private trips: RoundTrip[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param url of the database */
  static async to(url: string): Promise<RoundTrips> {
    const target = new URL(url);
    const server = createServer();
    const proxied = new URL(url);
    proxied.host = await listen(server);
    const recorder = new RoundTrips(server, proxied.href);
    server.on('connection', (client) => recorder.join(client, connect(Number(target.port || 5432), target.hostname)));
    return recorder;
  }

  /** The round trips since the last call, with their statements. */
  take(): RoundTrip[] {
    return this.trips.splice(0);
  }

  /** As `take`, but keeps them. */
  peek(): readonly RoundTrip[] {
    return this.trips;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket, database: Socket): void {
    const reader = new StatementReader();
    let trip: RoundTrip | null = null;
    for (const socket of [client, database]) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
    }
    client.on('data', (chunk) => {
      const statements = reader.read(chunk);
      if (trip === null && statements.length > 0) this.trips.push((trip = { statements: [] }));
      trip?.statements.push(...statements);
      database.write(chunk);
    });
    database.on('data', (chunk) => {
      trip = null;
      client.write(chunk);
    });
    client.on('close', () => database.destroy());
    database.on('close', () => client.destroy());
  }
}
