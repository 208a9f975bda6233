import { isDay } from '../field-formats';
import { ISO_COUNTRIES } from '../iso-countries';
import { LIMITS } from '../limits';
import { boolean, integer, list, object, literal, nullable, record, text, textMatching, type Check, type CheckedValue } from './checks';
import { CATALOGUE_ID, CATALOGUE_ID_DESCRIPTION } from '../catalogue';
import { BPS_WHOLE } from '../money';

/** The version of this document schema. Increase it with each new step in `read.ts`. */
export const BOOK_SCHEMA = 5;

export const PARCEL_KINDS = ['flat', 'tube', 'box'] as const;
export type ParcelKind = (typeof PARCEL_KINDS)[number];

/** Float frames exist only for canvases of this depth. */
export const FLOAT_FRAME_DEPTH = '30mm';

/** At most ten million dollars: far above any price, and far below an overflow of sums. */
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
const postcodeRange = object({ from: postcode, to: postcode });
const postcodeRanges = list(postcodeRange, 1);
const date = textMatching(isDay, 'a calendar date YYYY-MM-DD');

/** Offsets such as `+10:00` are no names. PostgreSQL reads them with the opposite sign. */
function isTimeZone(value: string): boolean {
  try {
    return !/^[+-]/.test(value) && new Intl.DateTimeFormat('en-AU', { timeZone: value }).format(0) !== '';
  } catch {
    return false;
  }
}

const printRate = object({ centsPerSqm: cents, minimumCents: cents });
const areaRates = { defaultCentsPerSqm: nullable(cents), centsPerSqmById: record(cents) };
const rushTerms = object({ surchargeBps: integer(0, 100_000), minimumCents: cents, businessDays: integer(0, 60) });
const byKind = <T>(check: Check<T>): Check<Record<ParcelKind, T>> => object({ flat: check, tube: check, box: check });

/** Business days from the ready date until arrival, both included. */
const deliveryDays = object({ min: integer(0, 120), max: integer(0, 120) });

const shipping = object({
  /** A method that would cost more than this does not carry the basket. */
  ceilingCents: integer(1, 1_000_000_000_000),
  /** The kilograms that are charged for each cubic meter of a parcel (cubic weight). */
  cubicKgPerCubicMetre: integer(0, 10_000),
  /** The largest piece, in either orientation, for a flat mailer. */
  flatLimitMm: object({ longMm: mm, shortMm: mm }),
  packing: byKind(
    object({
      /** Added once to each of the three outer dimensions; for a tube only to its length. */
      paddingMm: mm,
      packagingGrams: grams,
      maxContentGrams: grams,
      /** Thickness of the stacked pieces; for a tube, of the sheets rolled together. */
      maxStackMm: millimetresAbove0,
      /** Minimum of the two smaller outer dimensions of a tube, and of the thickness of other parcels. */
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
  /** A destination belongs to the first zone that matches it. */
  zones: list(
    object({
      id,
      name: label,
      countries: list(country, 1),
      /** Inclusive four-digit ranges; null means the whole country. Only for zones of one country. */
      postcodes: nullable(postcodeRanges),
    }),
    1,
  ),
  methods: list(
    object({
      id,
      name: label,
      description: nullable(label),
      isCollection: boolean,
      /** Limits of one parcel. The method does not carry a basket with a larger one. Ignored for collection. */
      carries: object({
        kinds: list(textMatching<ParcelKind>((kind) => PARCEL_KINDS.some((known) => known === kind), `one of ${PARCEL_KINDS.join(', ')}`)),
        maxLongestMm: mm,
        maxGrams: grams,
      }),
      /** Surcharges by the parcel's longest side. Only the highest step that it exceeds is added. */
      oversize: list(object({ overMm: mm, cents })),
      zones: list(
        object({
          zoneId: id,
          baseCents: byKind(cents),
          perKgCents: cents,
          estimatedDelivery: label,
          /** `estimatedDelivery` in business days; null means no estimated dates. */
          deliveryDays: nullable(deliveryDays),
        }),
      ),
    }),
  ),
  /** The option without a price that is offered if no method carries the parcels. */
  quotedFreight: object({ id, name: label, description: nullable(label), estimatedDelivery: label }),
});

/**
 * A price book: one immutable JSON document. Its version and effective date are stored separately. Money in integer cents, rates in cents
 * per m² or per meter, lengths in mm, weights in g, percentages in basis points (10000 = 100 %). A null rate, or an id without a rate and a
 * class default, means "not sold". `consistency.ts` checks the parts against each other.
 */
export const priceBookSchema = object({
  /** Schema version of the document; 1 if absent (`read.ts`). */
  schema: literal(BOOK_SCHEMA, `a schema number from 1 to ${BOOK_SCHEMA}; the default is 1`),
  currency: text(/^[A-Z]{3}$/, 'an ISO 4217 code such as AUD'),
  /** IANA name of the time zone of cut-off and holidays. */
  timeZone: textMatching(isTimeZone, 'an IANA time zone such as Australia/Melbourne'),
  /** `HH:MM` local. Work that arrives at or after it starts on the next business day. */
  cutoffTime: text(/^([01]\d|2[0-3]):[0-5]\d$/, 'a local time HH:MM'),
  /** Days in the studio's time zone. Saturdays and Sundays need no entry. */
  holidays: list(date),
  minimumOrderCents: cents,
  /** A line with a larger amount is refused. */
  lineCeilingCents: integer(1, 100_000_000_000),
  /**
   * Tax contained in prices: total ÷ divisor for this country, none for others. Goods sent to an untaxed zone, inclusive four-digit ranges
   * of the country, are exports. Collection in the studio is always taxed.
   */
  tax: object({
    country,
    divisor: integer(1, 10_000),
    untaxedZones: list(object({ name: label, postcodes: postcodeRanges })),
  }),
  products: record(
    object({
      minQuantity: quantity,
      maxQuantity: quantity,
      /** Quantity discounts, by ascending quantity. */
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
  /** `everydayArtCodes`: the sleeves of the product range Everyday Art. */
  sleeves: object({ centsByCode: record(cents), everydayArtCodes: list(label) }),
  mouldings: object({
    defaultCentsPerMetre: nullable(cents),
    centsPerMetreById: record(cents),
    /** Added to the cut length. */
    wasteBps: bps,
    /** The billed length is rounded up to a multiple of this. */
    roundUpToMm: millimetresAbove0,
    joinCents: cents,
  }),
  mats: object({
    ...areaRates,
    cutCents: cents,
    captionCents: cents,
    /** The board behind a print-and-mat, which clients cannot choose. */
    backingBoardCentsPerSqm: cents,
    minimumMm: mm,
    /** Border of a mat without a size. */
    defaultMm: mm,
  }),
  raisedFloat: object({ revealMinimumMm: mm, revealDefaultMm: mm, riserCentsPerMetre: object({ '6': cents, '10': cents }) }),
  glazing: object(areaRates),
  backing: object(areaRates),
  assemblyCents: cents,
  canvas: object({
    /** By depth, such as `30mm`. The depth of float frames is required. */
    barCentsPerMetre: record(cents, { pattern: /^[1-9][0-9]{0,2}mm$/, description: 'a depth such as 30mm' }),
    finishCentsPerSqm: record(cents),
  }),
  rush: object({ express: rushTerms, critical: rushTerms }),
  /** Turnaround of work without a rush tier. */
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
export type PostcodeRange = CheckedValue<typeof postcodeRange>;
export type DeliveryDays = CheckedValue<typeof deliveryDays>;
export type ZoneRate = ShippingMethod['zones'][number];
