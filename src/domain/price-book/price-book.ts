import { isDay } from '../field-formats';
import { ISO_COUNTRIES } from '../iso-countries';
import { LIMITS } from '../limits';
import { boolean, integer, list, object, literal, nullable, record, text, textMatching, type Check, type CheckedValue } from './checks';
import { CATALOGUE_ID, CATALOGUE_ID_DESCRIPTION } from '../catalogue';
import { BPS_WHOLE } from '../money';

/** The number of this document schema; raise it with each new step in `read.ts`. */
export const BOOK_SCHEMA = 4;

export const PARCEL_KINDS = ['flat', 'tube', 'box'] as const;
export type ParcelKind = (typeof PARCEL_KINDS)[number];

/** Float frames are made for canvases of this depth alone. */
export const FLOAT_FRAME_DEPTH = '30mm';

/** Ten million dollars: far above any price, far below where sums of lines would overflow. */
const cents = integer(0, 1_000_000_000);
const bps = integer(0, BPS_WHOLE);
const mm = integer(0, 100_000);
const millimetresAbove0 = integer(1, 100_000);
const grams = integer(0, 1_000_000);
const quantity = integer(1, LIMITS.quantityPerItem);
const id = text(CATALOGUE_ID, CATALOGUE_ID_DESCRIPTION);
const label = text(/^[^\u0000\p{Surrogate}]{1,500}$/u, 'a text of 1 to 500 characters, without U+0000 or lone surrogates');
const country = textMatching((code) => ISO_COUNTRIES.has(code), 'an upper-case ISO 3166 alpha-2 code');
const postcode = text(/^[0-9]{4}$/, 'four digits');
const date = textMatching(isDay, 'a calendar date YYYY-MM-DD');

function isTimeZone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-AU', { timeZone: value }).format(0) !== '';
  } catch {
    return false;
  }
}

const printRate = object({ centsPerSqm: cents, minimumCents: cents });
const areaRates = { defaultCentsPerSqm: nullable(cents), centsPerSqmById: record(cents) };
const rushTerms = object({ surchargeBps: integer(0, 100_000), minimumCents: cents, businessDays: integer(0, 60) });
const byKind = <T>(check: Check<T>): Check<Record<ParcelKind, T>> => object({ flat: check, tube: check, box: check });

/** Business days from the day that an order is ready until it arrives, both included. */
const deliveryDays = object({ min: integer(0, 120), max: integer(0, 120) });

const shipping = object({
  /** A method that would cost more than this for a basket does not carry it. */
  ceilingCents: integer(1, 1_000_000_000_000),
  cubicKgPerCubicMetre: integer(0, 10_000),
  /** Largest piece, either way round, that travels in a flat mailer. */
  flatLimitMm: object({ longMm: mm, shortMm: mm }),
  packing: byKind(
    object({
      /** Added to each of the three outer dimensions in total; for a tube only to its length. */
      paddingMm: mm,
      packagingGrams: grams,
      maxContentGrams: grams,
      /** Thickness of the pieces on top of each other; for a tube the sheets rolled together. */
      maxStackMm: millimetresAbove0,
      /** Outer size is at least this in the two smaller dimensions of a tube, and this thick otherwise. */
      minThicknessMm: mm,
    }),
  ),
  weights: object({
    defaultPaperGsm: grams,
    sheetThicknessMm: millimetresAbove0,
    sleevedThicknessMm: millimetresAbove0,
    sleeveGsm: grams,
    mouldingKgPerCubicMetre: integer(0, 30_000),
    defaultMouldingDepthMm: millimetresAbove0,
    glassGsm: grams,
    acrylicGsm: grams,
    matGsm: grams,
    backingGsm: grams,
    barGramsPerMetre: grams,
    mattedThicknessMm: millimetresAbove0,
  }),
  /** The first zone that matches the destination is its zone. */
  zones: list(
    object({
      id,
      name: label,
      countries: list(country, 1),
      /** Inclusive four-digit ranges; null means the whole country. Only for zones of one country. */
      postcodes: nullable(list(object({ from: postcode, to: postcode }), 1)),
    }),
    1,
  ),
  methods: list(
    object({
      id,
      name: label,
      description: nullable(label),
      isCollection: boolean,
      /** What one parcel may be; a basket with any other parcel is not carried. Ignored for collection. */
      carries: object({
        kinds: list(textMatching<ParcelKind>((kind) => PARCEL_KINDS.some((known) => known === kind), `one of ${PARCEL_KINDS.join(', ')}`)),
        maxLongestMm: mm,
        maxGrams: grams,
      }),
      /** The highest step a parcel's longest side passes is added to it. */
      oversize: list(object({ overMm: mm, cents })),
      zones: list(
        object({
          zoneId: id,
          baseCents: byKind(cents),
          perKgCents: cents,
          estimatedDelivery: label,
          /** The same for the calendar; null: no dates are estimated. */
          deliveryDays: nullable(deliveryDays),
        }),
      ),
    }),
  ),
  /** Offered, unpriced, when no method carries the parcels. */
  quotedFreight: object({ id, name: label, description: nullable(label), estimatedDelivery: label }),
});

/**
 * A price book: one immutable JSON document, its version and effective date kept outside it. Money in integer cents, rates in cents per m²
 * or per metre, lengths in mm, weights in g, percentages in basis points (10000 = 100 %). A rate that is null, or an id without a rate and
 * without a class default, means "not sold". What its parts must agree on is in `agreement.ts`.
 */
export const priceBookSchema = object({
  /** Of the document's shape; one without it is of schema 1 (`read.ts`). */
  schema: literal(BOOK_SCHEMA, `a schema number from 1 to ${BOOK_SCHEMA}; the default is 1`),
  currency: text(/^[A-Z]{3}$/, 'an ISO 4217 code such as AUD'),
  /** IANA name; cut-off and holidays are read in it. */
  timeZone: textMatching(isTimeZone, 'an IANA time zone such as Australia/Melbourne'),
  /** `HH:MM` local: work that arrives at or after it starts on the next business day. */
  cutoffTime: text(/^([01]\d|2[0-3]):[0-5]\d$/, 'a local time HH:MM'),
  /** Studio-local; Saturdays and Sundays need no entry. */
  holidays: list(date),
  minimumOrderCents: cents,
  /** A line whose amount is above this is refused. */
  lineCeilingCents: integer(1, 100_000_000_000),
  /** Tax contained in prices: total ÷ divisor for this country, nothing elsewhere. */
  tax: object({ country, divisor: integer(1, 10_000) }),
  products: record(
    object({
      minQuantity: quantity,
      maxQuantity: quantity,
      ladder: list(object({ fromQuantity: quantity, reductionBps: bps })),
    }),
  ),
  print: object({
    classes: object({
      museum: nullable(printRate),
      house: nullable(printRate),
      everyday: nullable(printRate),
      canvas: nullable(printRate),
    }),
    byMediaId: record(printRate),
  }),
  tornEdge: object({ feeMinimumCents: cents, feeBps: bps }),
  sleeves: object({ centsByCode: record(cents), everydayArtCodes: list(label) }),
  mouldings: object({
    defaultCentsPerMetre: nullable(cents),
    centsPerMetreById: record(cents),
    /** Added to the cut length. */
    wasteBps: bps,
    /** The length billed is rounded up to this. */
    roundUpToMm: millimetresAbove0,
    joinCents: cents,
  }),
  mats: object({
    ...areaRates,
    cutCents: cents,
    captionCents: cents,
    /** The board behind a print-and-mat, which is not chosen. */
    backingBoardCentsPerSqm: cents,
    minimumMm: mm,
    /** Border when a mat is chosen without a size. */
    defaultMm: mm,
  }),
  raisedFloat: object({ revealMinimumMm: mm, revealDefaultMm: mm, riserCentsPerMetre: object({ '6': cents, '10': cents }) }),
  glazing: object(areaRates),
  backing: object(areaRates),
  assemblyCents: cents,
  canvas: object({
    /** By depth literal such as `30mm`; that of float frames is always there. */
    barCentsPerMetre: record(cents, { pattern: /^[1-9][0-9]{0,2}mm$/, description: 'a depth such as 30mm' }),
    finishCentsPerSqm: record(cents),
  }),
  rush: object({ express: rushTerms, critical: rushTerms }),
  /** Within which work is due that is in no rush (ruling 65). */
  standardBusinessDays: integer(0, 60),
  shipping,
});
export type PriceBook = CheckedValue<typeof priceBookSchema>;

export type ProductTerms = PriceBook['products'][string];
export type LadderStep = ProductTerms['ladder'][number];
export type PrintRate = CheckedValue<typeof printRate>;
export type PrintClass = keyof PriceBook['print']['classes'];
export type AreaRates = PriceBook['glazing'];
export type RushTerms = PriceBook['rush']['express'];
export type ShippingTerms = PriceBook['shipping'];
export type PackingTerms = ShippingTerms['packing'][ParcelKind];
export type Zone = ShippingTerms['zones'][number];
export type ShippingMethod = ShippingTerms['methods'][number];
export type DeliveryDays = CheckedValue<typeof deliveryDays>;
export type ZoneRate = ShippingMethod['zones'][number];
