import Joi from 'joi';
import type { ShippingAddress } from '../../../domain/basket/quote-request';
import { PIECES_BOUNDS, type LinePieces } from '../../../domain/line-pieces';
import { OWN_ID } from '../../../domain/order-message';
import { messageField } from '../../schemas/message-field';
import { shippingAddress } from '../../schemas/quotes';
import { integer, text } from '../../schemas/text';

const { lines, line, quantity } = PIECES_BOUNDS;
const pieces = Joi.object({
  line: integer(line.min, line.max).required().description('of the order, from 0'),
  quantity: integer(quantity.min, quantity.max).required().description('at most what was ordered of it'),
});

/** Body of `POST /orders/{id}/remakes` (studio API "Endpoints", ruling 57). */
export const remakeRequest = Joi.object({
  remakeId: messageField(OWN_ID).required().description("the caller's own, so that it may be sent again safely"),
  lines: Joi.array().items(pieces).min(1).max(lines).required().description('each line once'),
  reason: text(1, 500).required().description('stands on the job'),
  shippingAddress: shippingAddress.description("the original's, unless it is given"),
});

export interface RemakeRequest {
  remakeId: string;
  lines: LinePieces[];
  reason: string;
  shippingAddress?: ShippingAddress;
}
