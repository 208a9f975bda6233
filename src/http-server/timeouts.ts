/** Timeouts of a client, ms. */
export interface ServerTimeouts {
  /** For the headers, and for the whole request. */
  headersMs: number;
  requestMs: number;
  /** For a connection without any data in either direction. */
  idleMs: number;
  /** How often `headersMs` and `requestMs` are checked. */
  checkIntervalMs: number;
}

/** For every listener. Only the artwork store allows more time for a request, which may be a large file. */
export const DEFAULT_TIMEOUTS: ServerTimeouts = { headersMs: 15_000, requestMs: 60_000, idleMs: 60_000, checkIntervalMs: 5000 };

/** Running requests get this long at shutdown, ms. Of the ten seconds, one is left for the rest (docs/operations.md, "While it runs"). */
export const DRAIN_TIMEOUT_MS = 9000;
