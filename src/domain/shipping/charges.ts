import type { ShippingAddress } from '../basket/quote-request';
import type { ShippingTerms } from '../price-book/price-book';
import { calculateComponent, jsonPointer, type PriceComponent } from '../price-component';
import type { ParcelGroup } from './parcels';
import { GRAMS_PER_KG } from './piece';
import { zoneOf } from './zones';

/** Returns the charges of equal parcels by the chosen method: a base by kind, each started kg, and oversize. Collection has none. */
export function parcelCharges(
  terms: ShippingTerms,
  methodId: string,
  destination: ShippingAddress,
  parcels: ParcelGroup,
): PriceComponent[] {
  const zone = zoneOf(terms.zones, destination);
  const methodIndex = terms.methods.findIndex(({ id }) => id === methodId);
  const method = terms.methods[methodIndex];
  const zoneIndex = method?.zones.findIndex(({ zoneId }) => zoneId === zone?.id) ?? -1;
  const rate = method?.zones[zoneIndex];
  if (method === undefined || rate === undefined || method.isCollection) return [];
  const { kind, count, longMm, chargeableGrams } = parcels;
  const at = (...path: (string | number)[]) => jsonPointer('shipping', 'methods', methodIndex, ...path);
  const kg = Math.ceil(chargeableGrams / GRAMS_PER_KG);
  const base = { value: rate.baseCents[kind], at: at('zones', zoneIndex, 'baseCents', kind) };
  const perKg = { value: rate.perKgCents, at: at('zones', zoneIndex, 'perKgCents') };
  const step = method.oversize.findLastIndex(({ overMm }) => longMm > overMm);
  const oversize = { value: method.oversize[step]?.cents ?? 0, at: at('oversize', step, 'cents') };
  return [
    calculateComponent('parcels', count, base, { code: 'parcel', note: `${kind}, to ${zone?.name ?? ''}` }),
    calculateComponent('weight', count * kg, perKg, {
      code: 'parcel-weight',
      note: `${kg} started kg of ${chargeableGrams} g, for each parcel`,
    }),
    ...(step < 0 ? [] : [calculateComponent('parcels', count, oversize, { code: 'parcel-oversize', note: `longest side ${longMm} mm` })]),
  ];
}
