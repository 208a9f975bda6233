import { ApiError } from '../errors';
import { formatCents } from '../money';
import type { Destination } from '../basket/quote-request';
import { quoted } from '../basket/line';
import type { DeliveryDays, ShippingMethod, ShippingTerms, ZoneRate } from '../price-book/price-book';
import type { ParcelGroup } from './parcels';
import { zoneOf } from './zones';
import { GRAMS_PER_KG } from './piece';

/** `YYYY-MM-DD`, both inclusive. */
export interface DeliveryDates {
  earliest: string;
  latest: string;
}

/** One delivery method for the basket, with its price. */
export interface ShippingOption {
  id: string;
  name: string;
  description: string | null;
  estimatedDelivery: string;
  /** `estimatedDelivery` as dates; null without an estimate. */
  estimatedDeliveryDates: DeliveryDates | null;
  isCollection: boolean;
  priceCents: number;
  requiresQuote: boolean;
}

type EstimateDates = (days: DeliveryDays) => DeliveryDates | null;

/** The delivery methods for these parcels, with prices in cents; empty if the studio does not ship to the destination. */
export function shippingOptions(
  terms: ShippingTerms,
  parcels: readonly ParcelGroup[],
  destination: Destination,
  estimateDates: EstimateDates = () => null,
): ShippingOption[] {
  const zone = zoneOf(terms.zones, destination);
  if (zone === undefined) return [];
  const options = terms.methods.flatMap((method) => {
    const rate = method.zones.find(({ zoneId }) => zoneId === zone.id);
    const option = rate && carriesAll(method, parcels) ? toShippingOption(method, rate, parcels, estimateDates) : undefined;
    return option && option.priceCents <= terms.ceilingCents ? [option] : [];
  });
  return options.some((option) => !option.isCollection) ? options : [...options, quotedFreight(terms)];
}

function carriesAll({ isCollection, carries }: ShippingMethod, parcels: readonly ParcelGroup[]): boolean {
  return (
    isCollection ||
    parcels.every(
      (parcel) => carries.kinds.includes(parcel.kind) && parcel.longMm <= carries.maxLongestMm && parcel.grams <= carries.maxGrams,
    )
  );
}

function toShippingOption(
  method: ShippingMethod,
  rate: ZoneRate,
  parcels: readonly ParcelGroup[],
  estimateDates: EstimateDates,
): ShippingOption {
  const { id, name, description, isCollection } = method;
  const priceCents = isCollection ? 0 : parcels.reduce((sum, parcel) => sum + parcel.count * parcelCents(method, rate, parcel), 0);
  const { estimatedDelivery, deliveryDays } = rate;
  const estimatedDeliveryDates = deliveryDays === null ? null : estimateDates(deliveryDays);
  return { id, name, description, estimatedDelivery, estimatedDeliveryDates, isCollection, priceCents, requiresQuote: false };
}

/** Base by kind, each started kg of the actual or cubic weight, and the oversize step, in cents. */
function parcelCents({ oversize }: ShippingMethod, rate: ZoneRate, parcel: ParcelGroup): number {
  const surcharge = oversize.reduce((cents, step) => (parcel.longMm > step.overMm ? step.cents : cents), 0);
  return rate.baseCents[parcel.kind] + rate.perKgCents * Math.ceil(parcel.chargeableGrams / GRAMS_PER_KG) + surcharge;
}

const quotedFreight = ({ quotedFreight: freight }: ShippingTerms): ShippingOption => ({
  ...freight,
  estimatedDeliveryDates: null,
  isCollection: false,
  priceCents: 0,
  requiresQuote: true,
});

/**
 * Returns the chosen option. Throws SHIPPING_UNAVAILABLE with all options in `details.shippingOptions` if it is not available
 * (specification "Shipping discovery").
 */
export function chooseOption(options: ShippingOption[], methodId: string | null | undefined, destination: Destination): ShippingOption {
  const chosen = options.find(({ id, requiresQuote }) => id === methodId && !requiresQuote);
  if (chosen) return chosen;
  throw new ApiError('SHIPPING_UNAVAILABLE', explanation(options, methodId, destination), { shippingOptions: options });
}

function explanation(options: readonly ShippingOption[], methodId: string | null | undefined, destination: Destination): string {
  const { country, postcode } = destination;
  if (options.length === 0) return `No delivery method reaches ${country} ${quoted(postcode)}; contact the studio`;
  const usable = options.filter(({ requiresQuote }) => !requiresQuote);
  const list = usable.map(({ id, priceCents }) => `${id} (${formatCents(priceCents)})`).join(', ');
  const advice = list ? `send shippingMethodId as one of: ${list}` : 'contact the studio for a freight quote';
  const lead =
    methodId === null || methodId === undefined
      ? 'No shippingMethodId was sent'
      : `shippingMethodId ${quoted(methodId)} cannot be used for this basket`;
  return `${lead}; ${advice}`;
}
