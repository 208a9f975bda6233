import type { Answer } from '../../types';
import { sendOrderMessage } from '../order-messages';
import type { MilestoneRequest } from '../schemas/milestones';
import type { StudioRequest } from '../types';

/** `POST /orders/{id}/milestones`. @throws ApiError MILESTONE_REFUSED, MILESTONE_ID_REUSED (studio API "Refusals"). */
export function postMilestone(request: StudioRequest<MilestoneRequest>): Promise<Answer> {
  return sendOrderMessage(request, request.body);
}
