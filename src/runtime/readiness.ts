import type { Sql } from '../db/database';
import { isMigrated } from '../db/repositories/readiness';

/** Checks one part that a process depends on. */
export interface ReadinessCheck {
  /** Resolves to true, or to the problem; false means `failure`. */
  passes: () => Promise<boolean | string>;
  /** The problem and its remedy, if `passes` resolves to false. */
  failure?: string;
}

/** A part without an answer in this time counts as unavailable, ms. */
const CHECK_TIMEOUT_MS = 3_000;
const CACHE_MS = 1_000;
/** The probes of load balancers wait for one to five seconds, so a slow check is answered with the last result. */
const MAX_WAIT_MS = 30;
const MAX_AGE_MS = 30_000;

export function databaseChecks(sql: Sql): Record<'database' | 'migrations', ReadinessCheck> {
  return {
    database: {
      passes: async () => (await sql.value<string>(`SELECT current_setting('transaction_read_only')`)) === 'off',
      failure: 'it is read-only; a failover has made it a standby, or its disk is full',
    },
    migrations: { passes: () => isMigrated(sql), failure: 'migrations are missing; run trade-print migrate' },
  };
}

/**
 * Returns a function that runs the checks at most once a second. Its result is `ok` or the failure of each part. While the checks take
 * longer than `MAX_WAIT_MS`, it returns the last result, if that is less than 30 seconds old.
 */
export function cacheChecks<Part extends string>(
  checks: Record<Part, ReadinessCheck>,
  now = () => performance.now(),
): () => Promise<Record<Part, string>> {
  let running: Promise<Record<Part, string>> | undefined;
  let last: { result: Record<Part, string>; atMs: number } | undefined;
  const refresh = async (): Promise<Record<Part, string>> => {
    const result = await runChecks(checks);
    last = { result, atMs: now() };
    running = undefined;
    return result;
  };
  return async () => {
    const ageMs = last === undefined ? Number.POSITIVE_INFINITY : now() - last.atMs;
    if (last !== undefined && ageMs <= CACHE_MS) return last.result;
    running ??= refresh();
    return last === undefined || ageMs > MAX_AGE_MS ? running : withTimeout(running, MAX_WAIT_MS, last.result);
  };
}

/** The result, or `otherwise` after this time. */
function withTimeout<T>(result: Promise<T>, ms: number, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), ms);
  });
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
}

async function runChecks<Part extends string>(checks: Record<Part, ReadinessCheck>): Promise<Record<Part, string>> {
  const parts = Object.entries<ReadinessCheck>(checks).map(async ([part, check]) => [part, await runCheck(check)] as const);
  return Object.fromEntries(await Promise.all(parts)) as Record<Part, string>;
}

async function runCheck({ passes, failure = 'not available' }: ReadinessCheck): Promise<string> {
  const result = passes().then(
    (passed) => (typeof passed === 'string' ? passed : passed ? 'ok' : failure),
    () => 'not reachable',
  );
  return withTimeout(result, CHECK_TIMEOUT_MS, 'does not answer');
}
