import { Readable } from 'node:stream';
import { ApiError } from '../domain/errors';
import { changeKindsFor, STREAM_LIMITS, type ChangeFeedItem } from '../domain/change-feed';
import type { Role } from '../domain/roles';
import type { Logger } from '../logger';
import type { ChangeFeed } from './change-feed';

/** How long a client waits before it connects again, ms. */
const RETRY_MS = 2000;
/** What a client has not taken, bytes; what is told at once is a third of it. Who reads so slowly reads again faster than it catches up. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** A credential that could not be judged so many times in a row is taken for gone. */
const MAX_FAILED_CHECKS = 2;
/** At shutdown, until the last of it has been read. */
const SHUTDOWN_GRACE_MS = 500;

/** Who listens. */
export interface StreamCaller {
  /** Counted together. */
  key: string;
  /** The token, or that by which the session was signed in. */
  tokenId: string;
  role: Role;
  /** Whether the credential still stands; without noting a use of it. */
  isValid: () => Promise<boolean>;
}

/** The event streams of this process (studio API "Event stream"). */
export class EventStreams {
  private readonly openStreams = new Map<EventStream, StreamCaller>();
  private isClosed = false;

  /** @param recheckMs how often each credential is judged; a sign of life goes out as often */
  constructor(
    private readonly feed: ChangeFeed,
    private readonly logger: Logger,
    private readonly recheckMs: number,
  ) {}

  /**
   * A stream of server-sent events for this caller; it listens before it says `hello`. While the process stops it ends at once.
   * @throws ApiError RATE_LIMITED where there are as many as may be
   */
  async open(caller: StreamCaller): Promise<Readable> {
    this.assertBelowLimits(caller);
    const stream = new EventStream(caller, this.recheckMs, this.logger);
    this.openStreams.set(stream, caller);
    stream.once('close', () => this.openStreams.delete(stream));
    try {
      stream.startListening(await this.feed.listen((items) => stream.send(items)));
    } catch (error) {
      stream.destroy();
      throw error;
    }
    if (this.isClosed) stream.finish();
    return stream;
  }

  /** Ends all, and those to come: whoever listens connects again elsewhere. Who does not read gets a moment. */
  close(): void {
    this.isClosed = true;
    for (const stream of this.openStreams.keys()) stream.finish();
    setTimeout(() => {
      for (const stream of this.openStreams.keys()) stream.destroy();
    }, SHUTDOWN_GRACE_MS).unref();
  }

  private assertBelowLimits({ key, tokenId }: StreamCaller): void {
    const callers = [...this.openStreams.values()];
    const refuse = (limit: number, scope: string, alternative: string): void => {
      const waitSeconds = Math.ceil(this.recheckMs / 1000);
      throw new ApiError(
        'RATE_LIMITED',
        `${limit} event streams are open ${scope}; ${alternative}wait ${waitSeconds} s`,
        undefined,
        waitSeconds,
      );
    };
    if (callers.filter((caller) => caller.key === key).length >= STREAM_LIMITS.perCaller)
      refuse(STREAM_LIMITS.perCaller, 'with this credential', 'close one, or ');
    if (callers.filter((caller) => caller.tokenId === tokenId).length >= STREAM_LIMITS.perToken)
      refuse(STREAM_LIMITS.perToken, 'with this token and the sessions signed in by it', 'close one, sign in by another token, or ');
    if (callers.length >= STREAM_LIMITS.perProcess) refuse(STREAM_LIMITS.perProcess, 'here, as many as may be', '');
  }
}

/** One stream. It keeps little for a client that does not read, then ends. */
class EventStream extends Readable {
  private stopListening: () => void = () => undefined;
  private readonly recheckTimer: NodeJS.Timeout;
  private readonly kinds: readonly string[];
  private failedChecks = 0;

  constructor(
    private readonly caller: StreamCaller,
    recheckMs: number,
    private readonly logger: Logger,
  ) {
    super();
    this.kinds = changeKindsFor(caller.role);
    // oxlint-disable-next-line typescript/no-misused-promises -- it says of a failure itself
    this.recheckTimer = setInterval(() => this.recheckCredential(), recheckMs).unref();
  }

  startListening(stop: () => void): void {
    this.stopListening = stop;
    if (this.destroyed) stop();
    else this.write(`retry: ${RETRY_MS}\nevent: hello\ndata: ${JSON.stringify({ hears: this.kinds })}\n\n`);
  }

  send(items: readonly ChangeFeedItem[] | null): void {
    if (items === null) return this.write('event: resync\ndata: {}\n\n');
    const visible = items.filter(({ kind }) => this.kinds.includes(kind));
    if (visible.length > 0) this.write(visible.map(({ kind, data }) => `event: ${kind}\ndata: ${data}\n\n`).join(''));
  }

  /** Ends it after what was written. */
  finish(): void {
    this.stopTimers();
    if (!this.destroyed && !this.readableEnded) this.push(null);
  }

  override _read(): void {
    // It is written to when there is something to tell.
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.stopTimers();
    done(error);
  }

  private stopTimers(): void {
    clearInterval(this.recheckTimer);
    this.stopListening();
  }

  private write(text: string): void {
    if (this.destroyed) return;
    this.push(text);
    if (this.readableLength <= MAX_UNREAD_BYTES) return;
    this.logger.info({ bytes: this.readableLength }, 'an event stream ends: its client does not read');
    this.destroy();
  }

  private async recheckCredential(): Promise<void> {
    this.write('event: alive\ndata: {}\n\n'); // no comment: a browser would not show the page one
    try {
      if (!(await this.caller.isValid())) return this.finish();
      this.failedChecks = 0;
    } catch (error) {
      this.failedChecks += 1;
      this.logger.warn({ err: error }, 'the credential of an event stream could not be judged');
      if (this.failedChecks >= MAX_FAILED_CHECKS) this.finish();
    }
  }
}
