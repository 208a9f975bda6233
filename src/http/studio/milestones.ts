import { findAppliedType } from '../../db/repositories/timeline';
import { validationError } from '../../domain/errors';
import { MILESTONE_TYPES } from '../../domain/order-messages';
import { CORRECTION_FIELDS } from '../../domain/order-messages/corrected';
import type { MessageField } from '../../domain/order-messages/fields';
import { ANY_MILESTONE_FIELDS, milestoneIssues } from '../../domain/order-messages/read';
import { type BodyOf, bodySchema, oneOfField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { messageFields } from './support/fields';
import { sendOrderMessage } from './support/order-messages';
import { STUDIO_ORDER } from './support/order-resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

/** The fields of all kinds of milestones. `milestoneIssues` refuses those of another kind. */
interface AnyMilestone {
  milestoneId: string;
  note?: string | null;
  occurredAt?: string | null;
  reason?: string | null;
  line?: number | null;
  lines?: number[] | null;
  signedBy?: string | null;
}

const { reason, line, lines, signedBy, ...commonFields } = messageFields<AnyMilestone>(
  ANY_MILESTONE_FIELDS as Record<keyof AnyMilestone, MessageField>,
);
export const milestoneFields = {
  ...commonFields,
  reason: reason.description('the reason for `held` or `artwork_rejected`, written for the client; `artwork_rejected` requires it'),
  line: line.description('the line whose artwork is rejected, from 0; only for `artwork_rejected`'),
  signedBy: signedBy.description('the name of the person who collected the order and signed for it; only for `completed`'),
};
const linesField = lines.description(
  'the lines that are done, from 0; only for `printed`, `framed`, `checked` and `ready`. Without it the milestone is about all lines.',
);
export const milestoneRequest = bodySchema({ ...milestoneFields, lines: linesField, type: oneOfField(MILESTONE_TYPES) });

const correctionRequest = bodySchema(messageFields<{ reason: string }>({ reason: CORRECTION_FIELDS.reason }));

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

async function postMilestone(request: StudioRequest<BodyOf<typeof milestoneRequest>>): Promise<HandlerResponse> {
  const issues = milestoneIssues({ ...request.body });
  if (issues.length > 0) throw validationError(issues);
  return sendOrderMessage(request, request.body);
}

function postCorrection(request: StudioRequest<BodyOf<typeof correctionRequest>>): Promise<HandlerResponse> {
  const corrects = request.params.milestoneId ?? '';
  return sendOrderMessage(
    request,
    { ...request.body, type: 'corrected', corrects },
    async (orderId) =>
      CORRECTION_FIELDS.corrects.issue(corrects) === null && (await findAppliedType(request.deps.database, orderId, corrects)) !== null,
  );
}
