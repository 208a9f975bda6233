import Joi from 'joi';
import { dayOrTimestamp } from './fields';
import { boolean } from '../../schemas/text';

/** Body of `POST /accounts/{id}/erase` (studio API "Endpoints"). */
export const erasureRequest = Joi.object({
  before: dayOrTimestamp().required().description('a day means its first moment in UTC'),
  dryRun: boolean(),
});

export interface ErasureRequest {
  /** A day means its first moment in UTC. */
  before: string;
  dryRun?: boolean;
}
