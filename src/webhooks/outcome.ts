/**
 * Why an attempt failed, in a word. `connect`, `tls` and `dns` name the phase; `reset` is a connection lost after that;
 * `protocol` is a reply that is no HTTP; `bad_status` is a whole reply outside 2xx and 3xx.
 */
export type AttemptErrorCode =
  'invalid_url' | 'not_public' | 'dns' | 'connect' | 'tls' | 'timeout' | 'reset' | 'redirect' | 'bad_status' | 'protocol';

/** How long each phase took, in ms; null for a phase that was not reached, or not needed. */
export interface AttemptTimings {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** From an open connection to the status line and headers of the reply. */
  firstByteMs: number | null;
  totalMs: number;
}

/** What became of one attempt. It never holds an address the endpoint's name resolved to. */
export interface AttemptOutcome {
  ok: boolean;
  /** The reply's status; null where no complete headers came. */
  status: number | null;
  /** Null exactly when `ok`. */
  errorCode: AttemptErrorCode | null;
  timings: AttemptTimings;
  /** The first 8 KiB of the reply's body, made safe to store and show; null where no reply came. */
  replyExcerpt: string | null;
  /** When the attempt began, and the time its signature carries, in ms since the epoch. */
  sentAtMs: number;
}

/** What an attempt has found out so far; it survives the attempt's failure. */
export interface AttemptProgress {
  status: number | null;
  reply: Buffer[];
  /** Something of a reply has come, so the receiver has the request, or had every chance to. */
  hasReplyBytes: boolean;
  timings: Omit<AttemptTimings, 'totalMs'>;
}

export function createProgress(): AttemptProgress {
  return { status: null, reply: [], hasReplyBytes: false, timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null } };
}

/** Ends an attempt for something the other side did. Anything else that is thrown is a fault of ours. */
export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure';
  constructor(readonly errorCode: AttemptErrorCode) {
    super(errorCode);
  }
}

/** Runs one phase and notes how long it took, whether it worked or not. */
export async function measurePhase<T>(
  timings: AttemptProgress['timings'],
  phase: keyof AttemptProgress['timings'],
  work: () => Promise<T>,
): Promise<T> {
  const startedMs = performance.now();
  try {
    return await work();
  } finally {
    timings[phase] = Math.round(performance.now() - startedMs);
  }
}

/** The code Node gives an error, such as ECONNRESET; empty where there is none. */
export function systemCodeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
