import Joi from 'joi';
import { ROLES, type Role } from '../../../domain/roles';
import { oneOf } from '../../schemas/text';
import { textExcept, timestamp } from './fields';

/** Names that stand for other senders in an order's timeline. */
const OTHER_SENDERS = /^(account|studio|signal(:.*)?)$/su;

/** Studio API "Who may do what". */
export const tokenRequest = Joi.object({
  name: textExcept(1, 100, OTHER_SENDERS, 'must not be account, studio or signal: the timeline means others by them').required(),
  role: oneOf(ROLES).required(),
  expiresAt: timestamp().allow(null).description('null or left out: it does not expire'),
});

export interface TokenRequest {
  name: string;
  role: Role;
  expiresAt?: string | null;
}
