import { Readable } from 'node:stream';
import { ApiError } from '../domain/errors';
import { kindsFor, STREAMS, type NewsItem } from '../domain/news';
import type { Role } from '../domain/roles';
import type { Logger } from '../logger';
import type { NewsFeed } from './feed';

/** How long a client waits before it connects again, ms. */
const RETRY_MS = 2000;
/** What a client has not taken, bytes; what is told at once is a third of it. Who reads so slowly reads again faster than it catches up. */
const MAX_UNREAD = 256 * 1024;
/** A credential that could not be judged so many times in a row is taken for gone. */
const MAX_UNJUDGED = 2;
/** At shutdown, until the last of it has been read. */
const LAST_WORDS_MS = 500;

/** Who listens. */
export interface StreamCaller {
  /** Counted together. */
  key: string;
  /** The token, or that by which the session was signed in. */
  tokenId: string;
  role: Role;
  /** Whether the credential still stands; without noting a use of it. */
  stands: () => Promise<boolean>;
}

/** The event streams of this process (studio API "Event stream"). */
export class EventStreams {
  private readonly open = new Map<EventStream, StreamCaller>();
  private closed = false;

  /** @param judgeEveryMs how often each credential is judged; a sign of life goes out as often */
  constructor(
    private readonly feed: NewsFeed,
    private readonly logger: Logger,
    private readonly judgeEveryMs: number,
  ) {}

  /**
   * A stream of server-sent events for this caller; it listens before it says `hello`. While the process stops it ends at once.
   * @throws ApiError RATE_LIMITED where there are as many as may be
   */
  async begin(caller: StreamCaller): Promise<Readable> {
    this.refuseTooMany(caller);
    const stream = new EventStream(caller, this.judgeEveryMs, this.logger);
    this.open.set(stream, caller);
    stream.once('close', () => this.open.delete(stream));
    try {
      stream.listening(await this.feed.listen((items) => stream.tell(items)));
    } catch (error) {
      stream.destroy();
      throw error;
    }
    if (this.closed) stream.finish();
    return stream;
  }

  /** Ends all, and those to come: whoever listens connects again elsewhere. Who does not read gets a moment. */
  close(): void {
    this.closed = true;
    for (const stream of this.open.keys()) stream.finish();
    setTimeout(() => {
      for (const stream of this.open.keys()) stream.destroy();
    }, LAST_WORDS_MS).unref();
  }

  private refuseTooMany({ key, tokenId }: StreamCaller): void {
    const callers = [...this.open.values()];
    const refuse = (most: number, where: string, instead: string): void => {
      const wait = Math.ceil(this.judgeEveryMs / 1000);
      throw new ApiError('RATE_LIMITED', `${most} event streams are open ${where}; ${instead}wait ${wait} s`, undefined, wait);
    };
    if (callers.filter((one) => one.key === key).length >= STREAMS.perCaller)
      refuse(STREAMS.perCaller, 'with this credential', 'close one, or ');
    if (callers.filter((one) => one.tokenId === tokenId).length >= STREAMS.perToken)
      refuse(STREAMS.perToken, 'with this token and the sessions signed in by it', 'close one, sign in by another token, or ');
    if (callers.length >= STREAMS.perProcess) refuse(STREAMS.perProcess, 'here, as many as may be', '');
  }
}

/** One stream. It keeps little for a client that does not read, then ends. */
class EventStream extends Readable {
  private stopListening: () => void = () => undefined;
  private readonly judging: NodeJS.Timeout;
  private readonly kinds: readonly string[];
  private unjudged = 0;

  constructor(
    private readonly caller: StreamCaller,
    everyMs: number,
    private readonly logger: Logger,
  ) {
    super();
    this.kinds = kindsFor(caller.role);
    // oxlint-disable-next-line typescript/no-misused-promises -- it says of a failure itself
    this.judging = setInterval(() => this.judge(), everyMs).unref();
  }

  listening(stop: () => void): void {
    this.stopListening = stop;
    if (this.destroyed) stop();
    else this.write(`retry: ${RETRY_MS}\nevent: hello\ndata: ${JSON.stringify({ hears: this.kinds })}\n\n`);
  }

  tell(items: readonly NewsItem[] | null): void {
    if (items === null) return this.write('event: resync\ndata: {}\n\n');
    const heard = items.filter(({ kind }) => this.kinds.includes(kind));
    if (heard.length > 0) this.write(heard.map(({ kind, data }) => `event: ${kind}\ndata: ${data}\n\n`).join(''));
  }

  /** Ends it after what was written. */
  finish(): void {
    this.quiet();
    if (!this.destroyed && !this.readableEnded) this.push(null);
  }

  override _read(): void {
    // It is written to when there is something to tell.
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.quiet();
    done(error);
  }

  private quiet(): void {
    clearInterval(this.judging);
    this.stopListening();
  }

  private write(text: string): void {
    if (this.destroyed) return;
    this.push(text);
    if (this.readableLength <= MAX_UNREAD) return;
    this.logger.info({ bytes: this.readableLength }, 'an event stream ends: its client does not read');
    this.destroy();
  }

  private async judge(): Promise<void> {
    this.write('event: alive\ndata: {}\n\n'); // no comment: a browser would not show the page one
    try {
      if (!(await this.caller.stands())) return this.finish();
      this.unjudged = 0;
    } catch (error) {
      this.unjudged += 1;
      this.logger.warn({ err: error }, 'the credential of an event stream could not be judged');
      if (this.unjudged >= MAX_UNJUDGED) this.finish();
    }
  }
}
