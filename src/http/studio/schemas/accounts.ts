import Joi from 'joi';
import { ACCOUNT_STATUSES, type AccountStatus, MAX_CENTS } from '../../../domain/limits';
import { BPS_WHOLE } from '../../../domain/money';
import { boolean, email, integer, oneOf, text } from '../../schemas/text';

const accountFields = {
  name: text(1, 200),
  email: email(),
  tradeDiscountBps: integer(0, BPS_WHOLE).description('hundredths of a per cent'),
  creditLimitCents: integer(0, MAX_CENTS).allow(null).description('null is no limit, 0 no credit'),
  paymentTermsDays: integer(0, 365),
  status: oneOf(ACCOUNT_STATUSES).description('suspended: its keys are refused at once'),
  apiAccess: boolean(),
};

/** Studio API "Endpoints". */
export const accountRequest = Joi.object({
  accountRequestId: text(1, 100).description("the caller's own, so that it may be sent again safely"),
  ...accountFields,
  name: accountFields.name.required(),
  email: accountFields.email.required(),
});

/** Any of the fields, at least one. */
export const accountChange = Joi.object(accountFields).min(1).messages({ 'object.min': 'must name a field to change' });

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
export type AccountRequest = Pick<AccountFields, 'name' | 'email'> & Partial<AccountFields> & { accountRequestId?: string };
export type AccountChange = Partial<AccountFields>;
