import { MAX_BODY_DURATION_MS, PACE_WINDOW_BYTES, PACE_WINDOW_MS } from '../domain/artwork-rules';

/** A body was too slow after its URL's expiry, or took too long. */
export class BodyTimeoutError extends Error {
  override readonly name = 'BodyTimeoutError';
}

interface BodyDeadline {
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** The URL's expiry by that clock. */
  urlEndsMs: number;
}

/**
 * Passes a body on. After the URL's expiry the body must keep a minimum speed, and it may never take longer than its maximum duration (ruling
 * 71). The server's idle timeout ends a body without data.
 * @throws BodyTimeoutError
 */
export async function* withinDeadline(body: AsyncIterable<Buffer>, { clock, urlEndsMs }: BodyDeadline): AsyncGenerator<Buffer> {
  const beganMs = clock();
  let window = { beganMs, bytes: 0 };
  for await (const chunk of body) {
    const nowMs = clock();
    window.bytes += chunk.length;
    if (nowMs >= beganMs + MAX_BODY_DURATION_MS) throw new BodyTimeoutError();
    if (nowMs >= window.beganMs + PACE_WINDOW_MS) {
      if (nowMs >= urlEndsMs && window.bytes < PACE_WINDOW_BYTES) throw new BodyTimeoutError();
      window = { beganMs: nowMs, bytes: 0 };
    }
    yield chunk;
  }
}
