import type { Socket } from 'node:net';
import type { AttemptTimer } from './attempt-timer';
import { AttemptFailure, systemCodeOf, type AttemptErrorCode, type AttemptProgress } from './outcome';
import { ReplyReader } from './reply-reader';

/** A POST whose reply is not yet complete. */
interface PendingPost {
  reader: ReplyReader;
  progress: AttemptProgress;
  startedMs: number;
  bodyTimer: NodeJS.Timeout | undefined;
  settle: (failure: unknown) => void;
}

interface ConnectionOptions {
  socket: Socket;
  /** The only URL that this connection serves. */
  url: string;
  /** The monotonic time until which the address check is valid. */
  expiresAtMs: number;
  monotonicMs: () => number;
  /** How long the body may take after the headers. */
  bodyTimeoutMs: number;
}

/** How long a connection waits after a reply before it reports the outcome, ms. */
const SETTLE_MS = 1;

/**
 * An open connection for consecutive POSTs. It closes when its address check expires, when the receiver ends it, or when unexpected bytes
 * arrive. Such bytes must not be read as the next reply.
 */
export class Connection {
  readonly url: string;
  /** Called when the connection has closed. */
  onClosed: () => void = () => undefined;
  /** True if the other side sent unexpected bytes or invalid HTTP. */
  hasViolatedProtocol = false;
  private readonly socket: Socket;
  private readonly options: ConnectionOptions;
  private readonly expiry: NodeJS.Timeout;
  private pendingPost: PendingPost | null = null;
  private isExpired = false;

  constructor(options: ConnectionOptions) {
    const { socket, url, expiresAtMs, monotonicMs } = options;
    this.options = options;
    this.url = url;
    this.socket = socket;
    this.expiry = setTimeout(() => this.expire(), expiresAtMs - monotonicMs()).unref();
    socket.on('data', (chunk: Buffer) => this.onBytes(chunk));
    socket.on('error', (error) => this.failPost(errorCodeOf(error)));
    socket.on('end', () => this.failPost('reset'));
    socket.once('close', () => this.handleClose());
  }

  /** True if the connection can serve another POST. */
  get isReusable(): boolean {
    const { expiresAtMs, monotonicMs } = this.options;
    return !this.isExpired && !this.socket.destroyed && monotonicMs() < expiresAtMs;
  }

  /** Idle connections do not keep the process alive. */
  setIdle(idle: boolean): void {
    if (idle) this.socket.unref();
    else this.socket.ref();
  }

  close(): void {
    this.socket.destroy();
  }

  /**
   * Writes one request and reads its reply into `progress`. Resolves when the status is known and the body has ended, was cut off, or
   * reached its limit of size or time. Afterwards `isReusable` is true if the connection can be kept.
   * @throws AttemptFailure `timeout`, `reset`, `tls` or `protocol` if the headers were not complete
   */
  post(message: Buffer, progress: AttemptProgress, timer: AttemptTimer): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (failure: unknown): void => (failure === null ? resolve() : reject(failure));
      this.pendingPost = { reader: new ReplyReader(), progress, startedMs: performance.now(), bodyTimer: undefined, settle };
      timer.setExpiryHandler(() => this.finish(new AttemptFailure('timeout')));
      if (this.socket.destroyed) this.failPost('reset');
      else this.socket.write(message);
    });
  }

  private onBytes(chunk: Buffer): void {
    const { pendingPost } = this;
    if (pendingPost === null) return this.rejectUnexpectedBytes();
    pendingPost.progress.hasReplyBytes = true;
    try {
      pendingPost.reader.read(chunk);
    } catch (error) {
      return this.finish(error);
    }
    if (pendingPost.reader.hasHead) this.onHeaders(pendingPost);
    if (pendingPost.reader.isFinished) this.finish(null);
  }

  private onHeaders(pendingPost: PendingPost): void {
    pendingPost.progress.timings.firstByteMs ??= Math.round(performance.now() - pendingPost.startedMs);
    if (!pendingPost.reader.isFinished) pendingPost.bodyTimer ??= setTimeout(() => this.finish(null), this.options.bodyTimeoutMs);
  }

  /** Ignores a failure after complete headers: the status is known, and only the body is cut off. */
  private finish(failure: unknown): void {
    const { pendingPost } = this;
    if (pendingPost === null) return;
    this.pendingPost = null;
    clearTimeout(pendingPost.bodyTimer);
    const { reader, progress, settle } = pendingPost;
    progress.status = reader.status;
    progress.reply = reader.body;
    this.hasViolatedProtocol = reader.hasSurplusBytes || isProtocolFailure(failure);
    if (failure === null && reader.isConnectionReusable && this.socket.writableLength === 0) return afterSettling(() => settle(null));
    this.close();
    settle(reader.hasHead ? null : failure);
  }

  private rejectUnexpectedBytes(): void {
    this.hasViolatedProtocol = true;
    this.close();
  }

  private failPost(errorCode: AttemptErrorCode): void {
    this.finish(new AttemptFailure(errorCode));
    this.close();
  }

  private expire(): void {
    this.isExpired = true;
    if (this.pendingPost === null) this.close();
  }

  private handleClose(): void {
    clearTimeout(this.expiry);
    this.failPost('reset');
    this.onClosed();
  }
}

/**
 * Waits for bytes that follow a reply at once, because they must close the connection before the next POST is written. The socket is read
 * once more before the outcome is reported.
 */
function afterSettling(work: () => void): void {
  setTimeout(() => setImmediate(work), SETTLE_MS);
}

function isProtocolFailure(failure: unknown): boolean {
  return failure instanceof AttemptFailure && failure.errorCode === 'protocol';
}

function errorCodeOf(error: unknown): AttemptErrorCode {
  return /^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/.test(systemCodeOf(error)) ? 'tls' : 'reset';
}
