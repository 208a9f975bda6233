import type { ShippingAddress } from '../basket/quote-request';
import type { ShippingTerms } from '../price-book/price-book';
import { charge, pointer, type Component } from '../working';
import type { Parcels } from './parcels';
import { GRAMS_PER_KG } from './piece';
import { zoneOf } from './zones';

/** What these equal parcels cost by the chosen method: base by kind, each kg begun, oversize. Nothing for collection. */
export function parcelCharges(terms: ShippingTerms, methodId: string, destination: ShippingAddress, parcels: Parcels): Component[] {
  const zone = zoneOf(terms.zones, destination);
  const methodAt = terms.methods.findIndex(({ id }) => id === methodId);
  const method = terms.methods[methodAt];
  const zoneAt = method?.zones.findIndex(({ zoneId }) => zoneId === zone?.id) ?? -1;
  const rate = method?.zones[zoneAt];
  if (method === undefined || rate === undefined || method.isCollection) return [];
  const { kind, count, longMm, chargeableGrams } = parcels;
  const at = (...path: (string | number)[]) => pointer('shipping', 'methods', methodAt, ...path);
  const kg = Math.ceil(chargeableGrams / GRAMS_PER_KG);
  const base = { value: rate.baseCents[kind], at: at('zones', zoneAt, 'baseCents', kind) };
  const perKg = { value: rate.perKgCents, at: at('zones', zoneAt, 'perKgCents') };
  const step = method.oversize.findLastIndex(({ overMm }) => longMm > overMm);
  const oversize = { value: method.oversize[step]?.cents ?? 0, at: at('oversize', step, 'cents') };
  return [
    charge('parcels', count, base, { code: 'parcel', note: `${kind}, to ${zone?.name ?? ''}` }),
    charge('weight', count * kg, perKg, { code: 'parcel-weight', note: `${kg} kg begun of ${chargeableGrams} g, each` }),
    ...(step < 0 ? [] : [charge('parcels', count, oversize, { code: 'parcel-oversize', note: `longest side ${longMm} mm` })]),
  ];
}
