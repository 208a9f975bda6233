import { Context } from '@temporalio/activity';

const HEARTBEATS_PER_TIMEOUT = 5;

/**
 * Sends heartbeats during an activity. If the process dies, Temporal retries the activity in another one. A cancellation request comes back
 * with the heartbeat's response and aborts `stop`.
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
