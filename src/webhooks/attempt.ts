import { AttemptTimer } from './attempt-timer';
import { openConnection, type ConnectOptions } from './connect';
import { Connection } from './connection';
import type { EndpointConnections, ConnectionPool } from './connection-pool';
import { requestBytes, type SignedEvent } from './message';
import { AttemptFailure, type AttemptErrorCode, type AttemptProgress } from './outcome';
import type { Target } from './target';

export interface AttemptSettings extends ConnectOptions {
  timeoutMs: number;
  /** How much longer than its headers a body is read. */
  bodyTimeoutMs: number;
  /** How long a connection may be used after its address was vetted. */
  maxConnectionAgeMs: number;
  connectionPool: ConnectionPool;
}

/** Withdrawn by the caller before anything was written, or written again. */
export type AttemptEnd = AttemptErrorCode | 'ok' | 'withdrawn';

/**
 * One attempt, over a kept connection of its endpoint or a new one. One timer bounds all of it: bounds per phase would add up (ruling 38).
 */
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
   * Null where a new connection is needed. One that breaks before the first byte of a reply was most likely closed by the
   * receiver while it was idle, so the POST is repeated; a receiver that did get it deduplicates (specification "Delivery guarantees" 1).
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
    const { settings, target, timer: clock, progress } = this;
    const abort = new AbortController();
    clock.setExpiryHandler(() => abort.abort());
    const { socket, vettedAtMs } = await openConnection(target, settings, abort.signal, progress);
    const { monotonicMs, bodyTimeoutMs, maxConnectionAgeMs } = settings;
    return new Connection({ socket, url: this.request.url, expiresAtMs: vettedAtMs + maxConnectionAgeMs, monotonicMs, bodyTimeoutMs });
  }
}

/** Any 2xx is success, any 3xx is a redirect that is not followed (specification "Delivery guarantees" 2 and 4, ruling 38). */
function verdictForStatus(status: number | null): AttemptEnd {
  if (status === null) return 'protocol';
  if (status >= 200 && status <= 299) return 'ok';
  return status >= 300 && status <= 399 ? 'redirect' : 'bad_status';
}
