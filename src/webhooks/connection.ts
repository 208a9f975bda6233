import type { Socket } from 'node:net';
import type { AttemptTimer } from './attempt-timer';
import { AttemptFailure, systemCodeOf, type AttemptErrorCode, type AttemptProgress } from './outcome';
import { ReplyReader } from './reply-reader';

/** A POST that waits for its reply. */
interface PendingPost {
  reader: ReplyReader;
  progress: AttemptProgress;
  startedMs: number;
  bodyTimer: NodeJS.Timeout | undefined;
  settle: (failure: unknown) => void;
}

interface ConnectionOptions {
  socket: Socket;
  /** The only URL that is sent to over it. */
  url: string;
  /** Until when the vetting of its address holds, by the monotonic clock. */
  expiresAtMs: number;
  monotonicMs: () => number;
  /** How much longer a body is read once the headers are complete. */
  bodyTimeoutMs: number;
}

/** How long a connection rests after a reply before its outcome is told, ms. */
const SETTLE_MS = 1;

/**
 * An open connection, for one POST after another. It closes itself as soon as its vetting is too old, the other side ends it,
 * or bytes come that no POST has asked for, so that what is left of one reply is not taken for the next.
 */
export class Connection {
  readonly url: string;
  /** Told when the connection has closed. */
  onClosed: () => void = () => undefined;
  /** The other side has said more than it was asked, or what is no HTTP. */
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

  /** May be kept for another POST. */
  get isReusable(): boolean {
    const { expiresAtMs, monotonicMs } = this.options;
    return !this.isExpired && !this.socket.destroyed && monotonicMs() < expiresAtMs;
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

  /** A failure after complete headers is none: the verdict stands, only the body was cut. */
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
 * Bytes that follow closely behind a reply are seen while its connection rests, and close it: nobody hears of the reply, and so
 * nobody writes the next POST, before the socket has been read from once more.
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
