/** How long a client may take, ms. */
export interface ServerTimeouts {
  /** Until its headers are here, and until the whole request is. */
  headersMs: number;
  requestMs: number;
  /** While nothing moves: neither does it send nor read what it was sent. */
  idleMs: number;
  /** How often the first two are looked at. */
  checkIntervalMs: number;
}

/** Of every listener; only the store waits longer for a whole request, which may be a large file. */
export const DEFAULT_TIMEOUTS: ServerTimeouts = { headersMs: 15_000, requestMs: 60_000, idleMs: 60_000, checkIntervalMs: 5000 };

/** What is in hand gets this long at shutdown, ms; a second is left of the ten to end the rest (docs/operations.md, "While it runs"). */
export const DRAIN_TIMEOUT_MS = 9000;
