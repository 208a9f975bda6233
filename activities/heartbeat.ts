import { Context } from '@temporalio/activity';

const HEARTBEATS_PER_TIMEOUT = 5;

/**
 * Sends heartbeats during an activity. If the process dies, Temporal retries the activity in another process. Temporal reports a
 * cancellation in the answer to a heartbeat, which aborts the signal that `work` receives.
 */
export async function withHeartbeat<T>(work: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
  const { info, heartbeat, cancellationSignal } = Context.current();
  const timer =
    info.heartbeatTimeoutMs === undefined ? undefined : setInterval(() => heartbeat(), info.heartbeatTimeoutMs / HEARTBEATS_PER_TIMEOUT);
  try {
    return await work(cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}
