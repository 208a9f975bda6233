import { isGrpcServiceError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';

/** gRPC's DEADLINE_EXCEEDED and UNAVAILABLE. */
const NO_ANSWER = new Set<number>([4, 14]);

/**
 * After this long without an answer to a call we probe whether Temporal is there at all; how long a probe may take; how often while away.
 */
const SUSPICIOUS_MS = 1_000;
const PROBE_EVERY_MS = 1_000;
/** Probes that must fail in a row: one may be late on a busy machine. */
const PROBES = 2;

/** The gRPC error inside one of the client's own; any other error unchanged. */
export function unwrapped(error: unknown): unknown {
  return error instanceof Error && isGrpcServiceError(error.cause) ? error.cause : error;
}

/** Temporal, or a worker that the call needs, did not answer in time. */
function isUnanswered(error: unknown): boolean {
  const cause = unwrapped(error);
  return cause instanceof WorkflowUpdateRPCTimeoutOrCancelledError || (isGrpcServiceError(cause) && NO_ANSWER.has(cause.code));
}

/** Temporal, or the worker that a call needs, does not answer. What was sent before may still be applied once it does; repeating it with the same id shows whether it was. */
export class TemporalAway extends Error {
  override readonly name = 'TemporalAway';
  constructor() {
    super('Temporal does not answer');
  }
}

/**
 * Notices when Temporal stops answering, and when it answers again. While it is away calls fail at once instead of piling up. Only a probe
 * decides: a call may be slow for reasons of its own, such as that no worker is there.
 */
export class Breaker {
  private open = false;
  private checking: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private readonly closedListeners: (() => void)[] = [];
  private readonly waiting = new Set<(error: Error) => void>();
  private ended = false;

  /** @param probe rejects, in a second or so, when Temporal does not answer */
  constructor(
    private readonly probe: () => Promise<void>,
    private readonly times = { suspiciousMs: SUSPICIOUS_MS, probeEveryMs: PROBE_EVERY_MS },
  ) {}

  get isOpen(): boolean {
    return this.open;
  }

  onClosed(listener: () => void): void {
    this.closedListeners.push(listener);
  }

  /** Runs `work` unless Temporal is away. @throws TemporalAway at once, or as soon as it is found to be away. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.open) throw new TemporalAway();
    const suspicion = setTimeout(() => this.check(), this.times.suspiciousMs);
    let giveUp: (error: Error) => void = () => undefined;
    const away = new Promise<never>((_, reject) => {
      giveUp = reject;
    });
    this.waiting.add(giveUp);
    try {
      return await Promise.race([work(), away]);
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      this.check();
      throw new TemporalAway();
    } finally {
      clearTimeout(suspicion);
      this.waiting.delete(giveUp);
    }
  }

  /** Asks now; several calls ask once. */
  check(): void {
    this.checking ??= this.judge().finally(() => {
      this.checking = null;
    });
  }

  close(): void {
    this.ended = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private async judge(): Promise<void> {
    for (let failures = 0; !this.ended;) {
      if (
        await this.probe().then(
          () => true,
          () => false,
        )
      )
        return this.answered();
      failures += 1;
      if (failures >= PROBES || this.open) return this.away();
    }
  }

  private answered(): void {
    if (!this.open) return;
    this.open = false;
    for (const listener of this.closedListeners) listener();
  }

  private away(): void {
    this.open = true;
    for (const giveUp of this.waiting) giveUp(new TemporalAway());
    if (!this.ended) this.timer = setTimeout(() => this.check(), this.times.probeEveryMs).unref();
  }
}
