import type { ServerDeps } from './deps';

/** The enforced limit of requests a minute: the documented limit times RATE_LIMIT_FACTOR. */
export function scaleRateLimit({ config }: Pick<ServerDeps, 'config'>, limit: number): number {
  return Math.round(limit * config.rateLimitFactor);
}
