import { type Carrier, findCarrier, proposeCarrier, trackingUrlOf } from '../../../../src/domain/carriers.js';
import { isOrderNumber } from './order-number.js';

/** The parcel that a label means. */
export interface LabelledParcel {
  trackingNumber: string;
  /** Undefined without a carrier. */
  carrier: string | undefined;
  trackingUrl: string | undefined;
}

/**
 * Reads a label: its carrier, tracking number and the URL of its page.
 * @param chosen the carrier that the person chose, `''` for none; null proposes one
 */
export function readParcelLabel(carriers: readonly Carrier[], text: string, chosen: string | null, last: string | null): LabelledParcel {
  const label = text.trim();
  const typed = chosen?.trim() ?? null;
  const fixed = typed === null ? null : findCarrier(carriers, typed);
  const lastKnown = last !== null && findCarrier(carriers, last) !== null ? last : null;
  const possible = typed === null ? carriers : fixed === null ? [] : [fixed];
  const found = isOrderNumber(label) ? null : proposeCarrier(possible, label, lastKnown);
  const isLast = found === null || (lastKnown !== null && findCarrier(carriers, lastKnown) === found.carrier);
  const proposed = isLast ? lastKnown : found.carrier.name;
  const carrier = typed ?? proposed ?? '';
  const trackingNumber = found?.trackingNumber ?? label;
  const known = findCarrier(carriers, carrier);
  return {
    trackingNumber,
    carrier: carrier === '' ? undefined : carrier,
    trackingUrl: (known && trackingUrlOf(known, trackingNumber)) ?? undefined,
  };
}
