import Joi from 'joi';
import { text } from '../../schemas/text';

/** Body of `POST /orders/{id}/attention/{code}/resolve` (studio API "Attention"). */
export const resolveRequest = Joi.object({ note: text(1, 2000).required() });

export interface ResolveRequest {
  note: string;
}
