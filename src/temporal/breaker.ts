import { isGrpcServiceError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';

/** gRPC's DEADLINE_EXCEEDED and UNAVAILABLE. */
const NO_ANSWER_CODES = new Set<number>([4, 14]);

/**
 * After this long without an answer to a call we probe whether Temporal is there at all; how long a probe may take; how often while away.
 */
const PROBE_AFTER_MS = 1_000;
const PROBE_INTERVAL_MS = 1_000;
/** Probes that must fail in a row: one may be late on a busy machine. */
const FAILED_PROBES_TO_OPEN = 2;

/** The gRPC error inside one of the client's own; any other error unchanged. */
export function unwrapGrpcError(error: unknown): unknown {
  return error instanceof Error && isGrpcServiceError(error.cause) ? error.cause : error;
}

/** Temporal, or a worker that the call needs, did not answer in time. */
function isUnanswered(error: unknown): boolean {
  const cause = unwrapGrpcError(error);
  return cause instanceof WorkflowUpdateRPCTimeoutOrCancelledError || (isGrpcServiceError(cause) && NO_ANSWER_CODES.has(cause.code));
}

/** Temporal, or the worker that a call needs, does not answer. What was sent before may still be applied once it does; repeating it with the same id shows whether it was. */
export class TemporalUnavailable extends Error {
  override readonly name = 'TemporalUnavailable';
  constructor() {
    super('Temporal does not answer');
  }
}

/**
 * Notices when Temporal stops answering, and when it answers again. While it is away calls fail at once instead of piling up. Only a probe
 * decides: a call may be slow for reasons of its own, such as that no worker is there.
 */
export class CircuitBreaker {
  private open = false;
  private currentCheck: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private readonly closedListeners: (() => void)[] = [];
  private readonly pendingRejects = new Set<(error: Error) => void>();
  private isClosed = false;

  /** @param probe rejects, in a second or so, when Temporal does not answer */
  constructor(
    private readonly probe: () => Promise<void>,
    private readonly times = { probeAfterMs: PROBE_AFTER_MS, probeIntervalMs: PROBE_INTERVAL_MS },
  ) {}

  get isOpen(): boolean {
    return this.open;
  }

  onClosed(listener: () => void): void {
    this.closedListeners.push(listener);
  }

  /** Runs `work` unless Temporal is away. @throws TemporalAway at once, or as soon as it is found to be away. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.open) throw new TemporalUnavailable();
    const probeTimer = setTimeout(() => this.check(), this.times.probeAfterMs);
    let rejectCall: (error: Error) => void = () => undefined;
    const unavailable = new Promise<never>((_, reject) => {
      rejectCall = reject;
    });
    this.pendingRejects.add(rejectCall);
    try {
      return await Promise.race([work(), unavailable]);
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      this.check();
      throw new TemporalUnavailable();
    } finally {
      clearTimeout(probeTimer);
      this.pendingRejects.delete(rejectCall);
    }
  }

  /** Asks now; several calls ask once. */
  check(): void {
    this.currentCheck ??= this.probeUntilDecided().finally(() => {
      this.currentCheck = null;
    });
  }

  close(): void {
    this.isClosed = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private async probeUntilDecided(): Promise<void> {
    for (let failures = 0; !this.isClosed;) {
      if (
        await this.probe().then(
          () => true,
          () => false,
        )
      )
        return this.markAvailable();
      failures += 1;
      if (failures >= FAILED_PROBES_TO_OPEN || this.open) return this.markUnavailable();
    }
  }

  private markAvailable(): void {
    if (!this.open) return;
    this.open = false;
    for (const listener of this.closedListeners) listener();
  }

  private markUnavailable(): void {
    this.open = true;
    for (const rejectCall of this.pendingRejects) rejectCall(new TemporalUnavailable());
    if (!this.isClosed) this.timer = setTimeout(() => this.check(), this.times.probeIntervalMs).unref();
  }
}
