import { MAX_BODY_DURATION_MS, PACE_WINDOW_BYTES, PACE_WINDOW_MS } from '../domain/artwork-rules';

/** A body was too slow after its URL's end, or took too long. */
export class BodyTimeoutError extends Error {
  override readonly name = 'BodyTimeoutError';
}

interface BodyDeadline {
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** When the URL ends, by that clock. */
  urlEndsMs: number;
}

/**
 * Passes a body on. After its URL's end it must keep the pace, and no body takes longer than `LONGEST_BODY_MS` (ruling 71). The server's
 * idle timeout ends a body of which nothing arrives.
 * @throws TooLateError
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
