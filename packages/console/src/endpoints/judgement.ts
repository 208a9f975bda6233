import type { Of } from '../api/types';

export type FaringEndpoint = Of<'WebhookEndpointWithHealth'>;

export const JUDGEMENTS = ['disabled', 'failing', 'waiting', 'not_used_yet', 'works'] as const;
export type Judgement = (typeof JUDGEMENTS)[number];

export const isWell = (judgement: Judgement): boolean => judgement === 'works' || judgement === 'not_used_yet';

type Judged = Pick<FaringEndpoint, 'state' | 'consecutiveFailures' | 'deliveries' | 'health'>;

/**
 * The one judgement of an endpoint: `disabled`; `failing`, where nothing ever arrived, or what was sent last did not and the client still
 * lacks something; `waiting`, where something arrived since, but what failed before is still tried, or is held; `not_used_yet`, where
 * nothing has arrived or failed; or `works`.
 */
export function judged({ state, consecutiveFailures, deliveries, health }: Judged): Judgement {
  if (state === 'disabled') return 'disabled';
  const { lastSuccessAt, lastFailureAt, pending } = health;
  const neverWorked = lastFailureAt !== null && lastSuccessAt === null;
  const failedLast = lastFailureAt !== null && lastSuccessAt !== null && lastFailureAt > lastSuccessAt;
  if (consecutiveFailures > 0 || neverWorked || (failedLast && pending + deliveries.failed > 0)) return 'failing';
  const isTriedAgain = pending > 0 && lastFailureAt !== null;
  if (isTriedAgain || deliveries.held > 0) return 'waiting';
  return lastSuccessAt === null ? 'not_used_yet' : 'works';
}

/** How many webhooks the client has not been told, and will be: still tried, or held until they are recovered. */
export const waitingAt = ({ deliveries, health }: Judged): number => health.pending + deliveries.held;
