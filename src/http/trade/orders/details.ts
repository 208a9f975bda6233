import { findOrderDetails } from '../../../db/repositories/order-details';
import { RUSH_TIERS } from '../../../domain/limits';
import { presentOrderDetails, type PresentedOrderDetails } from '../../../presenters/order-details';
import { ADDRESS_EXAMPLE, BASKET_EXAMPLE, ORDER_EXAMPLE } from '../../openapi/examples';
import * as json from '../../openapi/json';
import { found, pathId } from '../../path-id';
import type { Answer, EndpointRow, TradeRequest } from '../../types';

const EXAMPLE = {
  orderId: ORDER_EXAMPLE.orderId,
  shippingAddress: { company: null, line2: null, phone: null, ...ADDRESS_EXAMPLE },
  lines: BASKET_EXAMPLE.items,
  rushTier: 'standard',
  whiteLabel: true,
  specialInstructions: null,
};

const DETAILS = json.resourceWithExample<PresentedOrderDetails>('OrderDetails', EXAMPLE, {
  orderId: json.id('ord'),
  shippingAddress: json.object<PresentedOrderDetails['shippingAddress']>(
    {
      name: json.string(),
      company: json.nullable(json.string()),
      line1: json.string(),
      line2: json.nullable(json.string()),
      city: json.string(),
      state: json.string(),
      postcode: json.string(),
      country: json.string('ISO 3166 alpha-2'),
      phone: json.nullable(json.string()),
      email: json.string(),
    },
    { description: 'where it goes' },
  ),
  lines: json.list(
    json.object<PresentedOrderDetails['lines'][number]>({
      externalReference: json.nullable(json.string('as sent')),
      productSlug: json.string(),
      quantity: json.integer(),
      variantSelections: json.mapOf(json.string(), 'how it is made: the keys that the product knows, as sent'),
      imageUrl: json.nullable(json.uri("the artwork's `url`; null after erasing, and for a line without artwork")),
    }),
    "as the order's, in the same order",
  ),
  rushTier: json.oneOf(RUSH_TIERS),
  whiteLabel: json.boolean(),
  specialInstructions: json.nullable(json.string()),
});

export const ORDER_DETAILS_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'GET',
    path: '/orders/:id/details',
    scope: 'orders:read',
    perMinute: 120,
    id: 'getOrderDetails',
    summary: 'What an order is made of and where it goes',
    description: 'Address, selections, artwork and instructions, which orders and webhooks do not show.',
    answer: DETAILS,
    handler: getDetails,
  },
];

/** `GET /orders/{id}/details`. @throws ApiError NOT_FOUND */
async function getDetails(request: TradeRequest): Promise<Answer> {
  const { deps, caller } = request;
  const details = await findOrderDetails(deps.database, caller.accountId, caller.environment, pathId(request, 'ord'));
  return { data: presentOrderDetails(found(request, 'ord', details)) };
}
