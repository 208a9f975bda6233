import type { ParcelKind, ShippingMethod, ShippingTerms, Zone, ZoneRate } from '../../domain/price-book/price-book';

const words = (list: string): string[] => list.split(' ');
const ranges = (list: string): { from: string; to: string }[] =>
  words(list).map((range) => ({ from: range.slice(0, 4), to: range.slice(-4) }));

/** The first match applies: metropolitan, then remote, then the rest of Australia. */
const ZONES: Zone[] = [
  {
    id: 'au-metro',
    name: 'Australia, metropolitan',
    countries: ['AU'],
    postcodes: ranges(
      '0200-0299 1000-1999 2000-2249 2600-2618 2900-2920 3000-3207 4000-4207 5000-5199 5800-5999 6000-6199 6800-6999 8000-8999 9000-9999',
    ),
  },
  {
    id: 'au-remote',
    name: 'Australia, remote',
    countries: ['AU'],
    postcodes: ranges(
      '0800-0999 2880-2880 2898-2899 4474-4499 4825-4830 4871-4876 4890-4895 5690-5734 6431-6448 6700-6799 7151-7151 7255-7257',
    ),
  },
  { id: 'au-regional', name: 'Australia, regional', countries: ['AU'], postcodes: ranges('2250-7999') },
  // The same places by their own country codes.
  { id: 'au-islands', name: 'Norfolk, Christmas and Cocos Islands', countries: ['NF', 'CX', 'CC'], postcodes: null },
  { id: 'nz', name: 'New Zealand', countries: ['NZ'], postcodes: null },
  {
    id: 'asia-pacific',
    name: 'Asia and Pacific',
    countries: words('BN CN FJ HK ID IN JP KR MO MY NC PF PG PH SB SG TH TL TO TW VN VU WS'),
    postcodes: null,
  },
  { id: 'north-america', name: 'North America', countries: ['CA', 'MX', 'US'], postcodes: null },
  {
    id: 'europe',
    name: 'Europe and United Kingdom',
    countries: words('AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MC MT NL NO PL PT RO SE SI SK'),
    postcodes: null,
  },
];

const baseCentsByKind = (flat: number, tube: number, box: number): Record<ParcelKind, number> => ({ flat, tube, box });
const zoneRate = (zoneId: string, baseCents: Record<ParcelKind, number>, perKgCents: number, min: number, max: number): ZoneRate => ({
  zoneId,
  baseCents,
  perKgCents,
  estimatedDelivery: `${min} to ${max} business days`,
  deliveryDays: { min, max },
});
const ALL_KINDS: ParcelKind[] = ['flat', 'tube', 'box'];
/** The client collects on the ready date. */
const collectionRate = (zoneId: string): ZoneRate => ({
  ...zoneRate(zoneId, baseCentsByKind(0, 0, 0), 0, 0, 0),
  estimatedDelivery: 'As soon as the work is ready',
});

const METHODS: ShippingMethod[] = [
  {
    id: 'standard-parcel',
    name: 'Standard parcel',
    description: 'Tracked, to the door',
    isCollection: false,
    carries: { kinds: ALL_KINDS, maxLongestMm: 1200, maxGrams: 22_000 },
    oversize: [{ overMm: 1050, cents: 1500 }],
    zones: [
      zoneRate('au-metro', baseCentsByKind(850, 1250, 2200), 100, 2, 5),
      zoneRate('au-regional', baseCentsByKind(1050, 1550, 2800), 160, 3, 8),
      zoneRate('au-remote', baseCentsByKind(1250, 1950, 3600), 260, 5, 12),
      zoneRate('au-islands', baseCentsByKind(1250, 1950, 3600), 260, 5, 12),
    ],
  },
  {
    id: 'express-parcel',
    name: 'Express parcel',
    description: 'Tracked, to the door, by air',
    isCollection: false,
    carries: { kinds: ALL_KINDS, maxLongestMm: 1050, maxGrams: 22_000 },
    oversize: [],
    zones: [
      zoneRate('au-metro', baseCentsByKind(1290, 1890, 3600), 190, 1, 2),
      zoneRate('au-regional', baseCentsByKind(1490, 2290, 4400), 290, 2, 3),
      zoneRate('au-remote', baseCentsByKind(1790, 2790, 5600), 480, 3, 5),
      zoneRate('au-islands', baseCentsByKind(1790, 2790, 5600), 480, 3, 5),
    ],
  },
  {
    id: 'art-courier',
    name: 'Art courier',
    description: 'Padded van, for large framed work',
    isCollection: false,
    carries: { kinds: ALL_KINDS, maxLongestMm: 2400, maxGrams: 60_000 },
    oversize: [
      { overMm: 1400, cents: 4500 },
      { overMm: 1900, cents: 9000 },
    ],
    zones: [
      zoneRate('au-metro', baseCentsByKind(3500, 4500, 8500), 120, 3, 6),
      zoneRate('au-regional', baseCentsByKind(6500, 7500, 14_500), 220, 5, 10),
    ],
  },
  {
    id: 'international-tracked',
    name: 'International tracked',
    description: 'Tracked; duties are paid by the recipient',
    isCollection: false,
    carries: { kinds: ALL_KINDS, maxLongestMm: 1050, maxGrams: 20_000 },
    oversize: [],
    zones: [
      zoneRate('nz', baseCentsByKind(2200, 3400, 6900), 650, 5, 10),
      zoneRate('asia-pacific', baseCentsByKind(2800, 4200, 8900), 950, 7, 14),
      zoneRate('north-america', baseCentsByKind(3200, 4900, 10_900), 1400, 8, 16),
      zoneRate('europe', baseCentsByKind(3400, 5200, 11_500), 1500, 8, 16),
    ],
  },
  {
    id: 'international-express',
    name: 'International express',
    description: 'Courier; duties are paid by the recipient',
    isCollection: false,
    carries: { kinds: ALL_KINDS, maxLongestMm: 1500, maxGrams: 30_000 },
    oversize: [{ overMm: 1050, cents: 8000 }],
    zones: [
      zoneRate('nz', baseCentsByKind(4200, 5600, 9900), 1100, 2, 4),
      zoneRate('asia-pacific', baseCentsByKind(4900, 6400, 12_900), 1500, 3, 5),
      zoneRate('north-america', baseCentsByKind(5900, 7400, 15_900), 2100, 3, 6),
      zoneRate('europe', baseCentsByKind(6200, 7800, 16_900), 2200, 3, 6),
    ],
  },
  {
    id: 'studio-collection',
    name: 'Collect from the studio',
    description: 'Free; bring the order number',
    isCollection: true,
    carries: { kinds: ALL_KINDS, maxLongestMm: 0, maxGrams: 0 },
    oversize: [],
    zones: ['au-metro', 'au-regional', 'au-remote', 'au-islands'].map(collectionRate),
  },
];

/** Parcels, zones and delivery methods of the first price book. Cents, mm, g. */
export const FIRST_SHIPPING_TERMS: ShippingTerms = {
  ceilingCents: 1_000_000_000,
  cubicKgPerCubicMetre: 250,
  flatLimitMm: { longMm: 440, shortMm: 320 },
  packing: {
    flat: { paddingMm: 20, packagingGrams: 100, maxContentGrams: 3000, maxStackMm: 20, minThicknessMm: 10 },
    tube: { paddingMm: 60, packagingGrams: 300, maxContentGrams: 5000, maxStackMm: 20, minThicknessMm: 100 },
    box: { paddingMm: 80, packagingGrams: 900, maxContentGrams: 18_000, maxStackMm: 160, minThicknessMm: 60 },
  },
  weights: {
    defaultPaperGsm: 300,
    sheetThicknessMm: 1,
    sleevedThicknessMm: 2,
    sleeveGsm: 900,
    mouldingKgPerCubicMetre: 650,
    defaultMouldingDepthMm: 35,
    glassGsm: 5000,
    acrylicGsm: 3600,
    matGsm: 1000,
    backingGsm: 1300,
    barGramsPerMetre: 450,
    mattedThicknessMm: 6,
  },
  zones: ZONES,
  methods: METHODS,
  quotedFreight: {
    id: 'quoted-freight',
    name: 'Freight, quoted by the studio',
    description: 'Too large for our carriers; write to the studio',
    estimatedDelivery: 'Agreed with the quote',
  },
};
