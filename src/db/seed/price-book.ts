import { BOOK_SCHEMA, type LadderStep, type PriceBook, type ProductTerms } from '../../domain/price-book/price-book';
import { victorianHolidays } from './holidays';
import { FIRST_SHIPPING_TERMS } from './shipping-terms';

const LADDER: LadderStep[] = [
  { fromQuantity: 5, reductionBps: 500 },
  { fromQuantity: 10, reductionBps: 1000 },
  { fromQuantity: 25, reductionBps: 1500 },
  { fromQuantity: 50, reductionBps: 2000 },
];
const termsUpTo = (maxQuantity: number): ProductTerms => ({ minQuantity: 1, maxQuantity, ladder: LADDER });

/** The public holidays of Victoria in the year of a day `YYYY-MM-DD`, and in the next year. */
export function holidaysFrom(day: string): string[] {
  const year = Number(day.slice(0, 4));
  return [year, year + 1].flatMap(victorianHolidays);
}

/**
 * The first price book of a new studio. docs/first-price-book.md lists its figures, docs/pricing.md explains the method. Cents, mm, g,
 * basis points. A new studio has the holidays of its own year and the next.
 */
export const FIRST_PRICE_BOOK: PriceBook = {
  schema: BOOK_SCHEMA,
  currency: 'AUD',
  timeZone: 'Australia/Melbourne',
  cutoffTime: '14:00',
  holidays: holidaysFrom('2026-01-01'),
  minimumOrderCents: 2500,
  lineCeilingCents: 50_000_000,
  // The external territories are outside of Australia's tax zone.
  tax: {
    country: 'AU',
    divisor: 11,
    untaxedZones: [
      { name: 'Norfolk Island', postcodes: [{ from: '2899', to: '2899' }] },
      { name: 'Christmas Island', postcodes: [{ from: '6798', to: '6798' }] },
      { name: 'Cocos (Keeling) Islands', postcodes: [{ from: '6799', to: '6799' }] },
    ],
  },
  products: {
    'fine-art-printing': termsUpTo(990),
    'everyday-art-prints': termsUpTo(990),
    'print-and-mat': termsUpTo(500),
    'custom-framing': termsUpTo(250),
    'canvas-printing': termsUpTo(250),
  },
  print: {
    classes: {
      museum: { centsPerSqm: 26_000, minimumCents: 1200 },
      house: { centsPerSqm: 14_500, minimumCents: 900 },
      everyday: { centsPerSqm: 8500, minimumCents: 600 },
      canvas: { centsPerSqm: 18_500, minimumCents: 2500 },
    },
    byMediaId: {},
  },
  tornEdge: { feeMinimumCents: 1500, feeBps: 2000 },
  sleeves: { centsByCode: { A4: 350, A3: 450, A2: 650, A1: 950 }, everydayArtCodes: ['A4', 'A3', 'A2'] },
  mouldings: {
    defaultCentsPerMetre: null,
    centsPerMetreById: {
      'moulding-pine-raw-15': 3200,
      'moulding-pine-white-15': 3400,
      'moulding-pine-black-15': 3400,
      'moulding-ayous-white-20': 3800,
      'moulding-ayous-black-20': 3800,
      'moulding-oak-natural-20': 4800,
      'moulding-oak-smoked-20': 5200,
      'moulding-oak-white-20': 5200,
      'moulding-ash-natural-30': 5800,
      'moulding-ash-black-30': 5800,
      'moulding-walnut-20': 6400,
      'moulding-walnut-30': 7200,
      'moulding-gilt-gold-25': 7800,
      'moulding-gilt-silver-25': 7800,
      'moulding-aluminium-black-10': 4200,
      'moulding-float-black-12': 4600,
      'moulding-float-white-12': 4600,
      'moulding-float-oak-15': 5600,
      'moulding-float-walnut-15': 6800,
      'moulding-museum-maple-35': 9500,
    },
    wasteBps: 1000,
    roundUpToMm: 100,
    joinCents: 2500,
  },
  mats: {
    defaultCentsPerSqm: 9500,
    centsPerSqmById: {},
    cutCents: 1200,
    captionCents: 1500,
    backingBoardCentsPerSqm: 2800,
    minimumMm: 25,
    defaultMm: 60,
  },
  raisedFloat: { revealMinimumMm: 5, revealDefaultMm: 60, riserCentsPerMetre: { '6': 1800, '10': 2400 } },
  glazing: {
    defaultCentsPerSqm: null,
    centsPerSqmById: {
      'glazing-clear-glass-2': 6500,
      'glazing-clear-acrylic-2': 8500,
      'glazing-uv-glass-2': 11_500,
      'glazing-uv-acrylic-3': 14_500,
      'glazing-museum-acrylic-3': 36_000,
    },
  },
  backing: { defaultCentsPerSqm: 2800, centsPerSqmById: {} },
  assemblyCents: 3500,
  canvas: {
    barCentsPerMetre: { '18mm': 2900, '30mm': 3400, '38mm': 3900 },
    finishCentsPerSqm: { matte: 4500, satin: 4500, gloss: 5200 },
  },
  rush: {
    express: { surchargeBps: 3000, minimumCents: 1500, businessDays: 3 },
    critical: { surchargeBps: 6000, minimumCents: 4000, businessDays: 1 },
  },
  standardBusinessDays: 10,
  shipping: FIRST_SHIPPING_TERMS,
};
