import Joi from 'joi';
import { SCOPES, type Environment, type Scope, ACCOUNT_STATUSES, ENVIRONMENTS, type AccountStatus } from '../../domain/limits';
import { listOf, textExcept, timestamp } from './studio-fields';
import { boolean, email, integer, oneOf, optionalText, text } from './text';
import { ROLES, type Role } from '../../domain/roles';

/** What an order's timeline calls other senders; a token may not pass for one of them. */
const OTHER_SENDERS = /^(account|studio|signal(:.*)?)$/su;

/** Body of `POST /tokens` (studio API "Who may do what"). */
export const tokenRequest = Joi.object({
  name: textExcept(1, 100, OTHER_SENDERS, 'must not be account, studio or signal: the timeline means others by them').required(),
  role: oneOf(ROLES).required(),
  expiresAt: timestamp().allow(null),
});

export interface TokenRequest {
  name: string;
  role: Role;
  expiresAt?: string | null;
}

const accountFields = {
  name: text(1, 200),
  email: email(320),
  tradeDiscountBps: integer(0, 10_000),
  creditLimitCents: integer(0, Number.MAX_SAFE_INTEGER).allow(null),
  paymentTermsDays: integer(0, 365),
  status: oneOf(ACCOUNT_STATUSES),
  apiAccess: boolean(),
};

export const accountRequest = Joi.object({ ...accountFields, name: accountFields.name.required(), email: accountFields.email.required() });

/** Any of the fields, at least one. */
export const accountChange = Joi.object(accountFields).or(...Object.keys(accountFields));

export interface AccountFields {
  name: string;
  email: string;
  tradeDiscountBps: number;
  /** Null: no limit; 0: no credit. */
  creditLimitCents: number | null;
  paymentTermsDays: number;
  status: AccountStatus;
  apiAccess: boolean;
}
export type AccountRequest = Pick<AccountFields, 'name' | 'email'> & Partial<AccountFields>;
export type AccountChange = Partial<AccountFields>;

export const keyRequest = Joi.object({
  environment: oneOf(ENVIRONMENTS).required(),
  scopes: listOf(oneOf(SCOPES), 1, SCOPES.length).required(),
  name: optionalText(100),
  expiresAt: timestamp().allow(null),
});

export interface KeyRequest {
  environment: Environment;
  scopes: Scope[];
  name?: string | null;
  expiresAt?: string | null;
}
