import { findOrderDetails } from '../../../db/repositories/order-details';
import { RUSH_TIERS } from '../../../domain/limits';
import { presentOrderDetails, type PresentedOrderDetails } from '../../../presenters/order-details';
import { ADDRESS_EXAMPLE, BASKET_EXAMPLE, ORDER_EXAMPLE } from '../../openapi/examples';
import * as json from '../../openapi/json';
import { requireFound, pathId } from '../../path-id';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../../types';

const DETAILS = json.resource<PresentedOrderDetails>('OrderDetails', {
  orderId: [json.id('ord', 'the order'), ORDER_EXAMPLE.orderId],
  shippingAddress: [
    json.object<PresentedOrderDetails['shippingAddress']>(
      {
        name: json.string('the recipient'),
        company: json.nullable(json.string('of the recipient')),
        line1: json.string('street'),
        line2: json.nullable(json.string('more of the street')),
        city: json.string('town or suburb'),
        state: json.string('state or region'),
        postcode: json.string('in Australia four digits'),
        country: json.string('ISO 3166 alpha-2'),
        phone: json.nullable(json.string('of the recipient')),
        email: json.string("the customer's"),
      },
      { description: 'where it goes' },
    ),
    { company: null, line2: null, phone: null, ...ADDRESS_EXAMPLE },
  ],
  lines: [
    json.list(
      json.object<PresentedOrderDetails['lines'][number]>({
        externalReference: json.nullable(json.string('as sent')),
        productSlug: json.string("a slug of the catalogue's products"),
        quantity: json.integer('how many of it'),
        variantSelections: json.mapOf(json.string('a value, as sent'), 'how it is made: the keys that the product knows, as sent'),
        imageUrl: json.nullable(json.uri("the artwork's `url`; null after erasing, and for a line without artwork")),
      }),
      "as the order's, in the same order",
    ),
    BASKET_EXAMPLE.items,
  ],
  rushTier: [json.openEnum(RUSH_TIERS, 'how fast it is made'), 'standard'],
  whiteLabel: [json.boolean("without the studio's packaging"), true],
  specialInstructions: json.nullable(json.string("for the studio's job sheet")),
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
    response: DETAILS,
    handler: getDetails,
  },
];

async function getDetails(request: TradeRequest): Promise<HandlerResponse> {
  const { deps, caller } = request;
  const details = await findOrderDetails(deps.database, caller.accountId, caller.environment, pathId(request, 'ord'));
  return { data: presentOrderDetails(requireFound(request, 'ord', details)) };
}
