import Joi from 'joi';
import { ENVIRONMENTS, SCOPES, type Environment, type Scope } from '../../../domain/limits';
import { oneOf, optionalText } from '../../schemas/text';
import { listOf, timestamp } from './fields';

/** Studio API "Endpoints". */
export const keyRequest = Joi.object({
  environment: oneOf(ENVIRONMENTS).required(),
  scopes: listOf(oneOf(SCOPES), 1, SCOPES.length).required(),
  name: optionalText(100),
  expiresAt: timestamp().allow(null).description('null or left out: it does not expire'),
});

export interface KeyRequest {
  environment: Environment;
  scopes: Scope[];
  name?: string | null;
  expiresAt?: string | null;
}
