import Joi from 'joi';
import { type Environment, ENVIRONMENTS, LIMITS } from '../../../domain/limits';
import { listOf, timestamp } from './fields';
import { boolean, integer, oneOf, text } from '../../schemas/text';
import { RECOVERABLE_STATES, type RecoverableState, MAX_OVERLAP_HOURS, DEFAULT_OVERLAP_HOURS } from '../../../domain/webhook-rules';

/** Only its length: whether it is public HTTPS is judged by `src/http/studio/webhook-url.ts`. */
const webhookUrl = text(1, LIMITS.urlLength).required().description('public HTTPS, port 443, a host name; an absolute URL');

export const endpointRequest = Joi.object({ environment: oneOf(ENVIRONMENTS).required(), url: webhookUrl });

export interface EndpointRequest {
  environment: Environment;
  url: string;
}

export const endpointChange = Joi.object({ url: webhookUrl });
export type EndpointChange = Pick<EndpointRequest, 'url'>;

export const enableRequest = Joi.object({ skipPing: boolean().description('enable it without trying it') });

export interface EnableRequest {
  skipPing?: boolean;
}

export const disableRequest = Joi.object({ reason: text(1, 200).description('shown with the endpoint') });

export interface DisableRequest {
  reason?: string;
}

export const rotateRequest = Joi.object({
  overlapHours: integer(0, MAX_OVERLAP_HOURS).description(`for how long both sign; ${DEFAULT_OVERLAP_HOURS} unless said otherwise`),
});

export interface RotateRequest {
  overlapHours?: number;
}

export const recoverRequest = Joi.object({
  since: timestamp().required().description('deliveries made from then on'),
  until: timestamp().description('and before then; now unless said otherwise'),
  states: listOf(oneOf(RECOVERABLE_STATES), 1, RECOVERABLE_STATES.length),
  dryRun: boolean().description('only count'),
});

export interface RecoverRequest {
  since: string;
  until?: string;
  states?: RecoverableState[];
  dryRun?: boolean;
}
