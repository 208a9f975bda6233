/** Time limits for clients, ms. */
export interface ServerTimeouts {
  /** For the headers, and for the complete request. */
  headersMs: number;
  requestMs: number;
  /** For a connection without traffic in either direction, unless the service makes its response. */
  idleMs: number;
  /** The interval in which Node checks the first two. */
  checkIntervalMs: number;
}

/** For every listener; only the artwork store waits longer, for large files. */
export const DEFAULT_TIMEOUTS: ServerTimeouts = { headersMs: 15_000, requestMs: 60_000, idleMs: 60_000, checkIntervalMs: 5000 };

/** The time for open requests at shutdown, ms; one of the ten seconds remains for the rest (docs/operations.md, "While it runs"). */
export const DRAIN_TIMEOUT_MS = 9000;

/** The time between two requests of a connection, ms. Proxies keep connections for up to 60 s, and must not send into a closed one. */
export const KEEP_ALIVE_MS = 65_000;
