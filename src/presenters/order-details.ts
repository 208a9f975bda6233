import type { OrderDetails } from '../db/repositories/order-details';
import { checkArtworkOfLine, type CheckedArtwork } from '../domain/artwork-checks';
import { pickAddressFields } from '../domain/basket/destination';
import { fieldsOf } from './fields';

/** Address, selections, artwork and instructions. Orders and webhooks omit them. */
export function presentOrderDetails(order: OrderDetails, inspections: CheckedArtwork) {
  return {
    orderId: order.id,
    shippingAddress: pickAddressFields(order.shipping_address),
    lines: order.jobs.map(({ productSlug, quantity, selections, imageUrl }, index) => ({
      externalReference: order.lines[index]?.externalReference ?? null,
      productSlug,
      quantity,
      variantSelections: selections,
      imageUrl,
      artworkChecks: checkArtworkOfLine({ productSlug, selections, imageUrl }, inspections),
    })),
    ...fieldsOf(order, 'rush_tier', 'white_label', 'special_instructions'),
  };
}
export type PresentedOrderDetails = ReturnType<typeof presentOrderDetails>;
