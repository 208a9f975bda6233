import Joi from 'joi';
import { findAppliedType } from '../../db/repositories/timeline';
import { validationError } from '../../domain/errors';
import { ANY_MILESTONE_FIELDS, CORRECTION_FIELDS } from '../../domain/message-fields';
import { milestoneIssues } from '../../domain/order-message';
import { MILESTONE_TYPES, type MilestoneType } from '../../domain/order-message-types';
import { oneOfField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { messageFields } from './support/fields';
import { sendOrderMessage } from './support/order-messages';
import { STUDIO_ORDER } from './support/order-resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const { reason: reasonForClient = Joi.any(), line = Joi.any(), ...milestoneFields } = messageFields(ANY_MILESTONE_FIELDS);
export const milestoneRequest = Joi.object({
  ...milestoneFields,
  reason: reasonForClient.description('of `held` and `artwork_rejected`, which needs one: why, in words for the client'),
  line: line.description('of `artwork_rejected`: which line, from 0'),
  type: oneOfField(MILESTONE_TYPES).required(),
});

interface MilestoneRequest {
  milestoneId: string;
  type: MilestoneType;
  note?: string | null;
  occurredAt?: string | null;
  reason?: string | null;
  line?: number | null;
}

const { reason: reasonField } = CORRECTION_FIELDS;

const correctionRequest = Joi.object(messageFields({ reason: reasonField }));

interface CorrectionRequest {
  reason: string;
}

export const MILESTONES_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/orders/:id/milestones',
    role: 'floor',
    body: milestoneRequest,
    id: 'recordMilestone',
    summary: 'Record what happened on the floor',
    description: 'The same `milestoneId` with the same content is answered with the order as it is, so it is safe to repeat.',
    response: STUDIO_ORDER,
    errorCodes: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED', 'TEMPORAL_AWAY'],
    requestExample: { milestoneId: 'press-7/1041', type: 'production_started' },
    handler: postMilestone,
  },
  {
    method: 'POST',
    path: '/orders/:id/milestones/:milestoneId/correct',
    role: 'office',
    body: correctionRequest,
    id: 'correctMilestone',
    summary: 'Take back a milestone that was recorded by mistake',
    description:
      'The order is then what the remaining milestones lead to; parcels and money stay as they are, and clients are told of a status that changes. Safe to repeat. A cancel is not taken back.',
    response: STUDIO_ORDER,
    errorCodes: ['CORRECTION_REFUSED', 'TEMPORAL_AWAY'],
    requestExample: { reason: 'another sheet was scanned' },
    handler: postCorrection,
  },
];

async function postMilestone(request: StudioRequest<MilestoneRequest>): Promise<HandlerResponse> {
  const issues = milestoneIssues({ ...request.body });
  if (issues.length > 0) throw validationError(issues);
  return sendOrderMessage(request, request.body);
}

/** Rulings 46 and 56. */
function postCorrection(request: StudioRequest<CorrectionRequest>): Promise<HandlerResponse> {
  const corrects = request.params.milestoneId ?? '';
  return sendOrderMessage(
    request,
    { ...request.body, type: 'corrected', corrects },
    async (orderId) =>
      CORRECTION_FIELDS.corrects.issue(corrects) === null && (await findAppliedType(request.deps.database, orderId, corrects)) !== null,
  );
}
