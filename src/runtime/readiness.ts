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

export function databaseChecks(sql: Sql): Record<'database' | 'migrations', ReadinessCheck> {
  return {
    database: { passes: () => sql.run('SELECT 1').then(() => true) },
    migrations: { passes: () => isMigrated(sql), failure: 'migrations are missing; run trade-print migrate' },
  };
}

/** Returns a function that runs the checks at most once a second. Its result is `ok` or the failure of each part. */
export function cacheChecks<Part extends string>(checks: Record<Part, ReadinessCheck>): () => Promise<Record<Part, string>> {
  let result: Promise<Record<Part, string>> | undefined;
  let checkedAtMs = 0;
  return () => {
    if (result === undefined || performance.now() - checkedAtMs > CACHE_MS) {
      checkedAtMs = performance.now();
      result = runChecks(checks);
    }
    return result;
  };
}

async function runChecks<Part extends string>(checks: Record<Part, ReadinessCheck>): Promise<Record<Part, string>> {
  const parts = Object.entries<ReadinessCheck>(checks).map(async ([part, check]) => [part, await runCheck(check)] as const);
  return Object.fromEntries(await Promise.all(parts)) as Record<Part, string>;
}

async function runCheck({ passes, failure = 'not available' }: ReadinessCheck): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('does not answer'), CHECK_TIMEOUT_MS);
  });
  const result = passes().then(
    (passed) => (typeof passed === 'string' ? passed : passed ? 'ok' : failure),
    () => 'not reachable',
  );
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
}
