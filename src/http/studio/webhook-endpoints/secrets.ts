import { rotateSecret } from '../../../db/repositories/webhook-endpoints';
import { HOUR_MS } from '../../../domain/duration';
import { ApiError } from '../../../domain/errors';
import { DEFAULT_OVERLAP_HOURS, MAX_OVERLAP_HOURS } from '../../../domain/webhook-rules';
import { newWebhookSecret } from '../../../security/webhook-signature';
import { type BodyOf, bodySchema, integerField, optional } from '../../schemas/text';
import type { HandlerResponse } from '../../types';
import { ENDPOINT_WITH_SECRET } from '../support/endpoint-resources';
import type { StudioEndpointRow, StudioRequest } from '../support/types';
import { changeAudited, presentSecret } from './webhook-endpoints';

export const rotateRequest = bodySchema({
  overlapHours: optional(integerField(0, MAX_OVERLAP_HOURS)).description(
    `how many hours both secrets sign; the default is ${DEFAULT_OVERLAP_HOURS}`,
  ),
});

export const WEBHOOK_SECRET_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/rotate-secret',
    role: 'office',
    createsCredential: true,
    body: rotateRequest,
    id: 'rotateWebhookSecret',
    summary: 'Rotate a webhook secret',
    description:
      'Creates a new secret. The old and the new secret both sign until the overlap ends. Until then a second overlap is refused, because a third secret could not sign. `overlapHours: 0` ends all older secrets at once.',
    errorCodes: ['ROTATION_REFUSED'],
    response: ENDPOINT_WITH_SECRET,
    requestExample: { overlapHours: 24 },
    handler: rotate,
  },
];

async function rotate(request: StudioRequest<BodyOf<typeof rotateRequest>>): Promise<HandlerResponse> {
  const now = request.deps.clock.now();
  const overlapMs = (request.body.overlapHours ?? DEFAULT_OVERLAP_HOURS) * HOUR_MS;
  const secret = newWebhookSecret();
  const overlapUntil = overlapMs === 0 ? null : new Date(now.getTime() + overlapMs);
  const { data } = await changeAudited(request, 'endpoint.rotate_secret', (sql, before) => {
    const until = before.previous_secret_until;
    if (until !== null && until > now && overlapUntil !== null) throw rotationRefused(until);
    return rotateSecret(sql, request.deps.secretBox, before.id, { secret, overlapUntil, now });
  });
  return { data: { ...(data as object), ...presentSecret(secret) } };
}

function rotationRefused(until: Date): ApiError {
  const secretOverlapUntil = until.toISOString();
  const message = `two secrets sign until ${secretOverlapUntil}; rotate after that, or send overlapHours 0 to end both at once`;
  return new ApiError('ROTATION_REFUSED', message, { secretOverlapUntil });
}
