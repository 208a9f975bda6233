import type { Socket } from 'node:net';
import type { AttemptClock } from './attempt-clock';
import { AttemptFailure, systemCodeOf, type AttemptErrorCode, type Progress } from './outcome';
import { ReplyReader } from './reply-reader';

/** A POST that waits for its reply. */
interface Turn {
  reader: ReplyReader;
  progress: Progress;
  startedMs: number;
  bodyTimer: NodeJS.Timeout | undefined;
  settle: (failure: unknown) => void;
}

interface ConnectionOptions {
  socket: Socket;
  /** The only URL that is sent to over it. */
  url: string;
  /** Until when the vetting of its address holds, by the monotonic clock. */
  freshUntilMs: number;
  monotonicMs: () => number;
  /** How much longer a body is read once the headers are complete. */
  bodyMs: number;
}

/** How long a connection rests after a reply before its outcome is told, ms. */
const REST_MS = 1;

/**
 * An open connection, for one POST after another. It closes itself as soon as its vetting is too old, the other side ends it,
 * or bytes come that no POST has asked for, so that what is left of one reply is not taken for the next.
 */
export class Connection {
  readonly url: string;
  /** Told when the connection has closed. */
  onClosed: () => void = () => undefined;
  /** The other side has said more than it was asked, or what is no HTTP. */
  unruly = false;
  private readonly socket: Socket;
  private readonly options: ConnectionOptions;
  private readonly expiry: NodeJS.Timeout;
  private turn: Turn | null = null;
  private stale = false;

  constructor(options: ConnectionOptions) {
    const { socket, url, freshUntilMs, monotonicMs } = options;
    this.options = options;
    this.url = url;
    this.socket = socket;
    this.expiry = setTimeout(() => this.expire(), freshUntilMs - monotonicMs()).unref();
    socket.on('data', (chunk: Buffer) => this.onBytes(chunk));
    socket.on('error', (error) => this.lost(errorCodeOf(error)));
    socket.on('end', () => this.lost('reset'));
    socket.once('close', () => this.closed());
  }

  /** May be kept for another POST. */
  get open(): boolean {
    const { freshUntilMs, monotonicMs } = this.options;
    return !this.stale && !this.socket.destroyed && monotonicMs() < freshUntilMs;
  }

  /** Kept connections do not keep the process alive. */
  setIdle(idle: boolean): void {
    if (idle) this.socket.unref();
    else this.socket.ref();
  }

  close(): void {
    this.socket.destroy();
  }

  /**
   * Writes one request at once, and reads its reply into `progress`. Resolves when the status stands and the body was read,
   * or was long enough, or slow enough, or broke off. The connection is `open` afterwards if it can be kept.
   * @throws AttemptFailure `timeout`, `reset`, `tls` or `protocol` where no complete headers came.
   */
  post(message: Buffer, progress: Progress, clock: AttemptClock): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (failure: unknown): void => (failure === null ? resolve() : reject(failure));
      this.turn = { reader: new ReplyReader(), progress, startedMs: performance.now(), bodyTimer: undefined, settle };
      clock.whenExpired(() => this.finish(new AttemptFailure('timeout')));
      if (this.socket.destroyed) this.lost('reset');
      else this.socket.write(message);
    });
  }

  private onBytes(chunk: Buffer): void {
    const { turn } = this;
    if (turn === null) return this.interrupted();
    turn.progress.anyByte = true;
    try {
      turn.reader.read(chunk);
    } catch (error) {
      return this.finish(error);
    }
    if (turn.reader.answered) this.onHeaders(turn);
    if (turn.reader.finished) this.finish(null);
  }

  private onHeaders(turn: Turn): void {
    turn.progress.timings.firstByteMs ??= Math.round(performance.now() - turn.startedMs);
    if (!turn.reader.finished) turn.bodyTimer ??= setTimeout(() => this.finish(null), this.options.bodyMs);
  }

  /** A failure after complete headers is none: the verdict stands, only the body was cut. */
  private finish(failure: unknown): void {
    const { turn } = this;
    if (turn === null) return;
    this.turn = null;
    clearTimeout(turn.bodyTimer);
    const { reader, progress, settle } = turn;
    progress.status = reader.status;
    progress.reply = reader.body;
    this.unruly = reader.surplus || isProtocol(failure);
    if (failure === null && reader.reusable && this.socket.writableLength === 0) return afterRest(() => settle(null));
    this.close();
    settle(reader.answered ? null : failure);
  }

  private interrupted(): void {
    this.unruly = true;
    this.close();
  }

  private lost(errorCode: AttemptErrorCode): void {
    this.finish(new AttemptFailure(errorCode));
    this.close();
  }

  private expire(): void {
    this.stale = true;
    if (this.turn === null) this.close();
  }

  private closed(): void {
    clearTimeout(this.expiry);
    this.lost('reset');
    this.onClosed();
  }
}

/**
 * Bytes that follow closely behind a reply are seen while its connection rests, and close it: nobody hears of the reply, and so
 * nobody writes the next POST, before the socket has been read from once more.
 */
function afterRest(work: () => void): void {
  setTimeout(() => setImmediate(work), REST_MS);
}

function isProtocol(failure: unknown): boolean {
  return failure instanceof AttemptFailure && failure.errorCode === 'protocol';
}

function errorCodeOf(error: unknown): AttemptErrorCode {
  return /^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/.test(systemCodeOf(error)) ? 'tls' : 'reset';
}
