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

const { reason: reasonForClient = Joi.any(), line = Joi.any(), ...commonFields } = messageFields(ANY_MILESTONE_FIELDS);
export const milestoneFields: Record<string, Joi.Schema> = {
  ...commonFields,
  reason: reasonForClient.description(
    'the reason for `held` or `artwork_rejected`, written for the client; `artwork_rejected` requires it',
  ),
  line: line.description('the line whose artwork is rejected, from 0; only for `artwork_rejected`'),
};
export const milestoneRequest = Joi.object({ ...milestoneFields, type: oneOfField(MILESTONE_TYPES).required() });

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
    summary: 'Record a milestone',
    description: 'Repeating the request with the same `milestoneId` and content is safe: the response is the current order.',
    response: STUDIO_ORDER,
    errorCodes: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED', 'SERVICE_UNAVAILABLE'],
    requestExample: { milestoneId: 'press-7/1041', type: 'production_started' },
    handler: postMilestone,
  },
  {
    method: 'POST',
    path: '/orders/:id/milestones/:milestoneId/correct',
    role: 'floor',
    body: correctionRequest,
    id: 'correctMilestone',
    summary: 'Correct a milestone',
    description:
      'Takes back a milestone that was recorded by mistake. A token with the role `floor` can take back only the last milestone of an order, within 60 seconds, if the token recorded it. Later the office does it. The remaining milestones decide the status of the order. Parcels and money stay as they are. Clients get an event if the status changes. A cancellation cannot be taken back. Repeating the request is safe.',
    response: STUDIO_ORDER,
    errorCodes: ['CORRECTION_REFUSED', 'SERVICE_UNAVAILABLE'],
    requestExample: { reason: 'another sheet was scanned' },
    handler: postCorrection,
  },
];

async function postMilestone(request: StudioRequest<MilestoneRequest>): Promise<HandlerResponse> {
  const issues = milestoneIssues({ ...request.body });
  if (issues.length > 0) throw validationError(issues);
  return sendOrderMessage(request, request.body);
}

function postCorrection(request: StudioRequest<CorrectionRequest>): Promise<HandlerResponse> {
  const corrects = request.params.milestoneId ?? '';
  return sendOrderMessage(
    request,
    { ...request.body, type: 'corrected', corrects },
    async (orderId) =>
      CORRECTION_FIELDS.corrects.issue(corrects) === null && (await findAppliedType(request.deps.database, orderId, corrects)) !== null,
  );
}
