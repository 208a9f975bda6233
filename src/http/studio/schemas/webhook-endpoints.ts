import Joi from 'joi';
import { type Environment, ENVIRONMENTS, LIMITS } from '../../../domain/limits';
import { listOf, timestamp } from './fields';
import { boolean, integer, oneOf, text } from '../../schemas/text';
import { RECOVERABLE_STATES, type RecoverableState, MAX_OVERLAP_HOURS } from '../../../domain/webhook-rules';

/** Only its length: whether it is public HTTPS is judged by `src/http/studio/webhook-url.ts`. */
const webhookUrl = text(1, LIMITS.urlLength).required();

export const endpointRequest = Joi.object({ environment: oneOf(ENVIRONMENTS).required(), url: webhookUrl });

export interface EndpointRequest {
  environment: Environment;
  url: string;
}

export const endpointChange = Joi.object({ url: webhookUrl });
export type EndpointChange = Pick<EndpointRequest, 'url'>;

export const enableRequest = Joi.object({ skipPing: boolean() });

export interface EnableRequest {
  skipPing?: boolean;
}

export const disableRequest = Joi.object({ reason: text(1, 200) });

export interface DisableRequest {
  reason?: string;
}

export const rotateRequest = Joi.object({ overlapHours: integer(0, MAX_OVERLAP_HOURS) });

export interface RotateRequest {
  overlapHours?: number;
}

export const recoverRequest = Joi.object({
  since: timestamp().required(),
  until: timestamp(),
  states: listOf(oneOf(RECOVERABLE_STATES), 1, RECOVERABLE_STATES.length),
  dryRun: boolean(),
});

export interface RecoverRequest {
  since: string;
  until?: string;
  states?: RecoverableState[];
  dryRun?: boolean;
}
