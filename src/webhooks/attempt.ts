import { AttemptTimer } from './attempt-timer';
import { openConnection, type ConnectOptions } from './connect';
import { Connection } from './connection';
import type { EndpointConnections, ConnectionPool } from './connection-pool';
import { requestBytes, type SignedEvent } from './message';
import { AttemptFailure, type AttemptErrorCode, type AttemptProgress } from './outcome';
import type { Target } from './target';

export interface AttemptSettings extends ConnectOptions {
  timeoutMs: number;
  /** How long the body may take after the headers. */
  bodyTimeoutMs: number;
  /** The maximum age of a connection since its address was checked. */
  maxConnectionAgeMs: number;
  connectionPool: ConnectionPool;
}

/** `withdrawn`: `mayStillSend` returned false, so nothing was sent or repeated. */
export type AttemptEnd = AttemptErrorCode | 'ok' | 'withdrawn';

/** One attempt, over a pooled or a new connection. A single timer limits all phases together (ruling 38). */
export class Attempt {
  private readonly timer: AttemptTimer;
  private readonly endpointConnections: EndpointConnections;
  private readonly message: Buffer;

  constructor(
    private readonly target: Target,
    event: SignedEvent,
    private readonly request: { endpointId: string; url: string; mayStillSend?: () => boolean; stop?: AbortSignal },
    private readonly progress: AttemptProgress,
    private readonly settings: AttemptSettings,
  ) {
    this.message = requestBytes(target.requestStart, event);
    this.timer = new AttemptTimer(settings.timeoutMs, request.stop);
    this.endpointConnections = settings.connectionPool.acquire(request.endpointId);
  }

  async run(): Promise<AttemptEnd> {
    try {
      return (await this.sendOverPooled()) ?? (await this.sendOver(await this.connect()));
    } catch (error) {
      if (!(error instanceof AttemptFailure)) throw error;
      this.request.stop?.throwIfAborted();
      return this.timer.isExpired ? 'timeout' : error.errorCode;
    } finally {
      this.timer.stop();
      this.settings.connectionPool.release(this.request.endpointId, this.endpointConnections);
    }
  }

  /**
   * Returns null if a new connection is needed. If a pooled connection breaks before the first byte of a reply, the receiver has probably
   * closed it while it was idle, so the POST is repeated. Receivers deduplicate (specification "Delivery guarantees" 1).
   */
  private async sendOverPooled(): Promise<AttemptEnd | null> {
    const connection = this.settings.connectionPool.takeIdle(this.endpointConnections, this.request.url);
    if (connection === null) return null;
    try {
      return await this.sendOver(connection);
    } catch (error) {
      if (error instanceof AttemptFailure && !this.progress.hasReplyBytes && !this.timer.isExpired) return null;
      throw error;
    }
  }

  private async sendOver(connection: Connection): Promise<AttemptEnd> {
    try {
      if (this.request.mayStillSend?.() === false) return 'withdrawn';
      await connection.post(this.message, this.progress, this.timer);
      return verdictForStatus(this.progress.status);
    } catch (error) {
      connection.close();
      throw error;
    } finally {
      this.settings.connectionPool.returnConnection(this.request.endpointId, this.endpointConnections, connection);
    }
  }

  private async connect(): Promise<Connection> {
    const { settings, target, timer, progress } = this;
    const abort = new AbortController();
    timer.setExpiryHandler(() => abort.abort());
    const { socket, vettedAtMs } = await openConnection(target, settings, abort.signal, progress);
    const { monotonicMs, bodyTimeoutMs, maxConnectionAgeMs } = settings;
    return new Connection({ socket, url: this.request.url, expiresAtMs: vettedAtMs + maxConnectionAgeMs, monotonicMs, bodyTimeoutMs });
  }
}

/** Any 2xx is a success. Any 3xx is a redirect, which is not followed (specification "Delivery guarantees" 2 and 4, ruling 38). */
function verdictForStatus(status: number | null): AttemptEnd {
  if (status === null) return 'protocol';
  if (status >= 200 && status <= 299) return 'ok';
  return status >= 300 && status <= 399 ? 'redirect' : 'bad_status';
}
