import { Context } from '@temporalio/activity';

const HEARTBEATS_PER_TIMEOUT = 5;

/**
 * Heartbeats while an activity works. If its process dies, Temporal retries the activity in another. The response to a heartbeat carries
 * the request to cancel, which aborts `stop`.
 */
export async function withHeartbeat<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const { info, heartbeat, cancellationSignal } = Context.current();
  const timer =
    info.heartbeatTimeoutMs === undefined ? undefined : setInterval(() => heartbeat(), info.heartbeatTimeoutMs / HEARTBEATS_PER_TIMEOUT);
  try {
    return await work(cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}
