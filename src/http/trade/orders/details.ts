import { findOrderDetails } from '../../../db/repositories/order-details';
import { findArtworkOfOrder } from '../../../db/repositories/checked-artwork';
import { RUSH_TIERS } from '../../../domain/limits';
import { presentOrderDetails, type PresentedOrderDetails } from '../../../presenters/order-details';
import { ADDRESS_EXAMPLE, ARTWORK_CHECKS_EXAMPLE, BASKET_EXAMPLE, ORDER_EXAMPLE } from '../../openapi/examples';
import * as json from '../../openapi/json';
import { ADDRESS_FIELDS, ARTWORK_CHECKS } from '../../openapi/resources';
import { requireFound, pathId } from '../../path-id';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../../types';

const DETAILS = json.resource<PresentedOrderDetails>('OrderDetails', {
  orderId: [json.id('ord', 'the order'), ORDER_EXAMPLE.orderId],
  shippingAddress: [
    json.object<PresentedOrderDetails['shippingAddress']>(ADDRESS_FIELDS, { description: 'the destination' }),
    { company: null, line2: null, phone: null, ...ADDRESS_EXAMPLE },
  ],
  lines: [
    json.list(
      json.object<PresentedOrderDetails['lines'][number]>({
        externalReference: json.nullable(json.string('as sent')),
        productSlug: json.string('the slug of a product in the catalogue'),
        quantity: json.integer('the number of pieces'),
        variantSelections: json.mapOf(json.string('a value, as sent'), 'the selections that the product knows, as sent'),
        imageUrl: json.nullable(json.uri('the `url` of the artwork; null after erasure and for a line without artwork')),
        artworkChecks: json.nullable({
          ...ARTWORK_CHECKS,
          description: 'how the picture fits the line, calculated at each request; null for a line without artwork',
        }),
      }),
      'the lines in the order of the request',
    ),
    BASKET_EXAMPLE.items.map((item) => ({ ...item, artworkChecks: ARTWORK_CHECKS_EXAMPLE })),
  ],
  rushTier: [json.openEnum(RUSH_TIERS, 'the production speed'), 'standard'],
  whiteLabel: [json.boolean('whether parcels show no branding of the studio'), true],
  specialInstructions: json.nullable(json.string('the instructions on the job sheet')),
});

export const ORDER_DETAILS_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'GET',
    path: '/orders/:id/details',
    scope: 'orders:read',
    perMinute: 120,
    id: 'getOrderDetails',
    summary: 'Retrieve the details of an order',
    description: 'The response contains the address, selections, artwork and instructions, which orders and webhooks omit.',
    response: DETAILS,
    handler: getDetails,
  },
];

async function getDetails(request: TradeRequest): Promise<HandlerResponse> {
  const { deps, caller } = request;
  const id = pathId(request, 'ord');
  const [details, inspections] = await deps.database.snapshot((sql) =>
    Promise.all([findOrderDetails(sql, caller.accountId, caller.environment, id), findArtworkOfOrder(sql, caller.accountId, id)]),
  );
  return { data: presentOrderDetails(requireFound(request, 'ord', details), inspections) };
}
