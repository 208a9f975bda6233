import { Context } from '@temporalio/activity';

/** Heartbeats in the time after which Temporal misses one. */
const BEATS = 5;

/**
 * Heartbeats while an activity works: when its process dies, Temporal starts it elsewhere. Temporal answers a heartbeat with the request to
 * cancel, which aborts `stop`.
 */
export async function heartbeating<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const { info, heartbeat, cancellationSignal } = Context.current();
  const timer = info.heartbeatTimeoutMs === undefined ? undefined : setInterval(() => heartbeat(), info.heartbeatTimeoutMs / BEATS);
  try {
    return await work(cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}
