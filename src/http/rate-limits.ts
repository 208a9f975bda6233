import type { HttpDeps } from './deps';

/** Requests a minute that a budget really gives here: more than it says only where RATE_LIMIT_FACTOR widens it (ruling 62). */
export function scaleRateLimit({ config }: Pick<HttpDeps, 'config'>, limit: number): number {
  return Math.round(limit * config.rateLimitFactor);
}
