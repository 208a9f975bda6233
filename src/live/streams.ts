import { Readable } from 'node:stream';
import { ApiError } from '../domain/errors';
import { changeKindsFor, STREAM_LIMITS, type ChangeFeedItem } from '../domain/change-feed';
import type { Role } from '../domain/roles';
import type { Logger } from '../platform/logger';
import type { ChangeFeed } from './change-feed';

/** How long a client waits before it reconnects, ms. */
const RETRY_MS = 2000;
/** A stream ends if its client leaves more bytes than this unread. A message has at most a third of it. Reading anew is then faster. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** After this many consecutive failed checks a credential counts as invalid. */
const MAX_FAILED_CHECKS = 2;
/** How long a shutdown waits for clients to read the rest of their streams, ms. */
const SHUTDOWN_GRACE_MS = 500;

/** The client of a stream. */
export interface StreamCaller {
  /** Streams with the same key share one limit. */
  key: string;
  /** The token of the request, or of the session's sign-in. */
  tokenId: string;
  role: Role;
  /** True if the credential is still valid. The check does not count as a use of the credential. */
  isValid: () => Promise<boolean>;
}

/** The event streams of this process (studio API "Event stream"). */
export class EventStreams {
  private readonly openStreams = new Map<EventStream, StreamCaller>();
  private isClosed = false;

  /** @param recheckMs the interval of credential checks and of heartbeats */
  constructor(
    private readonly feed: ChangeFeed,
    private readonly logger: Logger,
    private readonly recheckMs: number,
  ) {}

  /**
   * Opens a stream of server-sent events. The stream subscribes to changes before it sends `hello`. During a shutdown it ends at once.
   * @throws ApiError RATE_LIMITED if a limit is reached
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

  /** Ends all streams, so clients reconnect to another process. Clients that have not read everything get a short grace period. */
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
        `${limit} event streams are already open ${scope}; ${alternative}wait ${waitSeconds} s`,
        undefined,
        waitSeconds,
      );
    };
    if (callers.filter((caller) => caller.key === key).length >= STREAM_LIMITS.perCaller)
      refuse(STREAM_LIMITS.perCaller, 'with this credential', 'close one, or ');
    if (callers.filter((caller) => caller.tokenId === tokenId).length >= STREAM_LIMITS.perToken)
      refuse(STREAM_LIMITS.perToken, 'with this token and its sessions', 'close one, sign in with another token, or ');
    if (callers.length >= STREAM_LIMITS.perProcess) refuse(STREAM_LIMITS.perProcess, 'in this process', '');
  }
}

/** One stream of server-sent events. It ends if its client reads too slowly. */
class EventStream extends Readable {
  private stopListening: () => void = () => undefined;
  private recheckTimer: NodeJS.Timeout | undefined;
  private readonly kinds: readonly string[];
  private failedChecks = 0;
  private isChecking = false;
  private isFinished = false;

  constructor(
    private readonly caller: StreamCaller,
    private readonly recheckMs: number,
    private readonly logger: Logger,
  ) {
    super();
    this.kinds = changeKindsFor(caller.role);
  }

  startListening(stop: () => void): void {
    this.stopListening = stop;
    if (this.destroyed || this.isFinished) return stop();
    this.write(`retry: ${RETRY_MS}\nevent: hello\ndata: ${JSON.stringify({ kinds: this.kinds })}\n\n`);
    // oxlint-disable-next-line typescript/no-misused-promises -- logs its failures
    this.recheckTimer = setInterval(() => this.recheckCredential(), this.recheckMs).unref();
  }

  send(items: readonly ChangeFeedItem[] | null): void {
    if (this.recheckTimer === undefined) return; // before `hello`, after which the client reads everything
    if (items === null) return this.write('event: resync\ndata: {}\n\n');
    const visible = items.filter(({ kind }) => this.kinds.includes(kind));
    if (visible.length > 0) this.write(visible.map(({ kind, data }) => `event: ${kind}\ndata: ${data}\n\n`).join(''));
  }

  /** Ends the stream after its buffered data. */
  finish(): void {
    this.stopTimers();
    this.isFinished = true;
    if (!this.destroyed) this.push(null);
  }

  override _read(): void {
    // Data is pushed when there are changes.
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
    if (this.destroyed || this.isFinished) return;
    this.push(text);
    if (this.readableLength <= MAX_UNREAD_BYTES) return;
    this.logger.info({ bytes: this.readableLength }, 'an event stream was ended because its client does not read');
    this.destroy();
  }

  private async recheckCredential(): Promise<void> {
    this.write('event: alive\ndata: {}\n\n'); // an event, because browsers hide comment lines of a stream from scripts
    if (this.isChecking) return; // the database is slow
    this.isChecking = true;
    try {
      if (!(await this.caller.isValid())) return this.finish();
      this.failedChecks = 0;
    } catch (error) {
      this.failedChecks += 1;
      this.logger.warn({ err: error }, 'checking the credential of an event stream failed');
      if (this.failedChecks >= MAX_FAILED_CHECKS) this.finish();
    } finally {
      this.isChecking = false;
    }
  }
}
