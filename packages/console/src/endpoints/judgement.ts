import type { Of } from '../api/types';

export type FaringEndpoint = Of<'WebhookEndpointWithHealth'>;

/** How an endpoint fares, the worst first. */
export const JUDGEMENTS = ['disabled', 'failing', 'waiting', 'works'] as const;
export type Judgement = (typeof JUDGEMENTS)[number];

type Judged = Pick<FaringEndpoint, 'state' | 'consecutiveFailures' | 'deliveries' | 'health'>;

/**
 * The one judgement of an endpoint: `disabled`; `failing`, where what was sent last did not arrive and the client still lacks something;
 * `waiting`, where something arrived since, but what failed before is still tried, or is held; or `works`.
 */
export function judged({ state, consecutiveFailures, deliveries, health }: Judged): Judgement {
  if (state === 'disabled') return 'disabled';
  const { lastSuccessAt, lastFailureAt, pending } = health;
  const failedLast = lastFailureAt !== null && (lastSuccessAt === null || lastFailureAt > lastSuccessAt);
  if (consecutiveFailures > 0 || (failedLast && pending + deliveries.failed > 0)) return 'failing';
  const isTriedAgain = pending > 0 && lastFailureAt !== null;
  return isTriedAgain || deliveries.held > 0 ? 'waiting' : 'works';
}

/** How many webhooks the client has not been told, and will be: still tried, or held until they are recovered. */
export const waitingAt = ({ deliveries, health }: Judged): number => health.pending + deliveries.held;
