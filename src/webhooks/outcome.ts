/**
 * The reason for a failed attempt. `connect`, `tls` and `dns` name the phase; `reset` is a connection lost later; `protocol` is invalid
 * HTTP; `bad_status` is a complete reply outside 2xx and 3xx.
 */
export const ATTEMPT_ERROR_CODES = [
  'invalid_url',
  'not_public',
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'redirect',
  'bad_status',
  'protocol',
] as const;
export type AttemptErrorCode = (typeof ATTEMPT_ERROR_CODES)[number];

/** The duration of each phase in ms; null if it was not reached or not needed. */
export interface AttemptTimings {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** From the open connection to the complete headers of the reply. */
  firstByteMs: number | null;
  totalMs: number;
}

/** The result of one attempt. Never contains a resolved address of the endpoint. */
export interface AttemptOutcome {
  ok: boolean;
  /** The reply's status; null without complete headers. */
  status: number | null;
  /** Null if and only if `ok`. */
  errorCode: AttemptErrorCode | null;
  timings: AttemptTimings;
  /** The first 8 KiB of the reply's body, safe to store and to print; null without a reply. */
  replyExcerpt: string | null;
  /** The start of the attempt, which is also the signature's timestamp, in ms since the epoch. */
  sentAtMs: number;
}

/** The results of a running attempt. They are kept if it fails. */
export interface AttemptProgress {
  status: number | null;
  reply: Buffer[];
  /** True after the first byte of a reply: the receiver has probably got the request. */
  hasReplyBytes: boolean;
  timings: Omit<AttemptTimings, 'totalMs'>;
}

export function createProgress(): AttemptProgress {
  return { status: null, reply: [], hasReplyBytes: false, timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null } };
}

/** The receiver or the network made the attempt fail. Other errors are faults of this service. */
export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure';
  constructor(readonly errorCode: AttemptErrorCode) {
    super(errorCode);
  }
}

/** Runs one phase and records its duration, even if it fails. */
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

/** Node's code of an error, such as ECONNRESET; empty without one. */
export function systemCodeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
