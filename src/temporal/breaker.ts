import {
  isGrpcCancelledError,
  isGrpcDeadlineError,
  isGrpcServiceError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';

/**
 * gRPC's RESOURCE_EXHAUSTED and UNAVAILABLE. RESOURCE_EXHAUSTED is what remains of a limit of Temporal after the client's retries, such as
 * ten updates of a workflow at a time.
 */
const NO_ANSWER_CODES = new Set<number>([8, 14]);

/** A probe starts when a call has waited for this long. While Temporal is unavailable, probes repeat at the interval. */
const PROBE_AFTER_MS = 1_000;
const PROBE_INTERVAL_MS = 1_000;
/** How many consecutive failed probes open the breaker. A single one may fail on a busy machine. */
const FAILED_PROBES_TO_OPEN = 2;

/** Returns the gRPC error inside a client error; other errors unchanged. */
export function unwrapGrpcError(error: unknown): unknown {
  return error instanceof Error && isGrpcServiceError(error.cause) ? error.cause : error;
}

/** True for a call past its deadline. The server may cancel it a moment before. Our code cancels no calls. */
export function isPastDeadline(error: unknown): boolean {
  return error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcDeadlineError(error) || isGrpcCancelledError(error);
}

/** True if Temporal, or a worker that the call needs, did not answer in time. */
export function isUnanswered(error: unknown): boolean {
  if (isPastDeadline(error)) return true;
  const cause = unwrapGrpcError(error);
  return isGrpcServiceError(cause) && NO_ANSWER_CODES.has(cause.code);
}

/** Temporal, or the worker that a call needs, does not answer. The call may still be applied later, so repeat it with the same id. */
export class TemporalUnavailable extends Error {
  override readonly name = 'TemporalUnavailable';
  constructor() {
    super('Temporal does not answer');
  }
}

/**
 * Detects when Temporal stops answering and when it answers again. While it is unavailable, calls fail at once instead of queueing. Only
 * probes decide this, because calls may be slow for other reasons, such as a missing worker.
 */
export class CircuitBreaker {
  private open = false;
  private currentCheck: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private readonly closedListeners: (() => void)[] = [];
  private readonly pendingRejects = new Set<(error: Error) => void>();
  private isClosed = false;

  /** @param probe rejects within about a second if Temporal does not answer */
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

  /** Runs `work`. @throws TemporalUnavailable at once while Temporal is unavailable, or as soon as that is detected */
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

  /** Starts a probe; concurrent calls share it. */
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
