import { AttemptClock } from './attempt-clock';
import { openConnection, type ConnectOptions } from './connect';
import { Connection } from './connection';
import type { EndpointConnections, KeptConnections } from './kept-connections';
import { requestBytes, type SignedEvent } from './message';
import { AttemptFailure, type AttemptErrorCode, type Progress } from './outcome';
import type { Target } from './target';

export interface AttemptSettings extends ConnectOptions {
  timeoutMs: number;
  /** How much longer than its headers a body is read. */
  bodyMs: number;
  /** How long a connection may be used after its address was vetted. */
  freshMs: number;
  kept: KeptConnections;
}

/** Withdrawn by the caller before anything was written, or written again. */
export type AttemptEnd = AttemptErrorCode | 'ok' | 'withdrawn';

/**
 * One attempt, over a kept connection of its endpoint or a new one. One timer bounds all of it: bounds per phase would add up (ruling 38).
 */
export class Attempt {
  private readonly clock: AttemptClock;
  private readonly endpoint: EndpointConnections;
  private readonly message: Buffer;

  constructor(
    private readonly target: Target,
    event: SignedEvent,
    private readonly request: { endpointId: string; url: string; mayStillSend?: () => boolean },
    private readonly progress: Progress,
    private readonly settings: AttemptSettings,
  ) {
    this.message = requestBytes(target.requestStart, event);
    this.clock = new AttemptClock(settings.timeoutMs);
    this.endpoint = settings.kept.enter(request.endpointId);
  }

  async run(): Promise<AttemptEnd> {
    try {
      return (await this.overKept()) ?? (await this.over(await this.connect()));
    } catch (error) {
      if (!(error instanceof AttemptFailure)) throw error;
      return this.clock.expired ? 'timeout' : error.errorCode;
    } finally {
      this.clock.stop();
      this.settings.kept.leave(this.request.endpointId, this.endpoint);
    }
  }

  /**
   * Null where a new connection is needed. One that breaks before the first byte of a reply was most likely closed by the
   * receiver while it was idle, so the POST is repeated; a receiver that did get it deduplicates (specification "Delivery guarantees" 1).
   */
  private async overKept(): Promise<AttemptEnd | null> {
    const connection = this.settings.kept.take(this.endpoint, this.request.url);
    if (connection === null) return null;
    try {
      return await this.over(connection);
    } catch (error) {
      if (error instanceof AttemptFailure && !this.progress.anyByte && !this.clock.expired) return null;
      throw error;
    }
  }

  private async over(connection: Connection): Promise<AttemptEnd> {
    try {
      if (this.request.mayStillSend?.() === false) return 'withdrawn';
      await connection.post(this.message, this.progress, this.clock);
      return verdictOn(this.progress.status);
    } catch (error) {
      connection.close();
      throw error;
    } finally {
      this.settings.kept.keep(this.request.endpointId, this.endpoint, connection);
    }
  }

  private async connect(): Promise<Connection> {
    const { settings, target, clock, progress } = this;
    const abort = new AbortController();
    clock.whenExpired(() => abort.abort());
    const { socket, vettedAtMs } = await openConnection(target, settings, abort.signal, progress);
    const { monotonicMs, bodyMs, freshMs } = settings;
    return new Connection({ socket, url: this.request.url, freshUntilMs: vettedAtMs + freshMs, monotonicMs, bodyMs });
  }
}

/** Any 2xx is success, any 3xx is a redirect that is not followed (specification "Delivery guarantees" 2 and 4, ruling 38). */
function verdictOn(status: number | null): AttemptEnd {
  if (status === null) return 'protocol';
  if (status >= 200 && status <= 299) return 'ok';
  return status >= 300 && status <= 399 ? 'redirect' : 'bad_status';
}
