import { ISO_COUNTRIES } from '../iso-countries';
import { LIMITS } from '../limits';
import { boolean, integer, list, object, only, orNull, record, text, textThat, type Check } from './checks';
import { BOOK_SCHEMA, PARCEL_KINDS } from './price-book';
import { CATALOGUE_ID, CATALOGUE_ID_FORM } from '../catalogue';
import { BPS_WHOLE } from '../money';

/** Ten million dollars: far above any price, far below where sums of lines would overflow. */
const cents = integer(0, 1_000_000_000);
const bps = integer(0, BPS_WHOLE);
const mm = integer(0, 100_000);
const millimetresAbove0 = integer(1, 100_000);
const grams = integer(0, 1_000_000);
const quantity = integer(1, LIMITS.quantityPerItem);
const id = text(CATALOGUE_ID, CATALOGUE_ID_FORM);
const label = text(/^[^\u0000\p{Surrogate}]{1,500}$/u, 'a text of 1 to 500 characters, without U+0000 or lone surrogates');
const country = textThat((code) => ISO_COUNTRIES.has(code), 'an upper-case ISO 3166 alpha-2 code');
const postcode = text(/^[0-9]{4}$/, 'four digits');
const date = textThat(isDate, 'a calendar date YYYY-MM-DD');

function isDate(value: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

function isTimeZone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-AU', { timeZone: value }).format(0) !== '';
  } catch {
    return false;
  }
}

const printRate = object({ centsPerSqm: cents, minimumCents: cents });
const areaRates = { defaultCentsPerSqm: orNull(cents), centsPerSqmById: record(cents) };
const rushTerms = object({ surchargeBps: integer(0, 100_000), minimumCents: cents, businessDays: integer(0, 60) });
const byKind = (check: Check): Check => object(Object.fromEntries(PARCEL_KINDS.map((kind) => [kind, check])));

const shipping = object({
  ceilingCents: integer(1, 1_000_000_000_000),
  cubicKgPerCubicMetre: integer(0, 10_000),
  flatLimitMm: object({ longMm: mm, shortMm: mm }),
  packing: byKind(
    object({
      paddingMm: mm,
      packagingGrams: grams,
      maxContentGrams: grams,
      maxStackMm: millimetresAbove0,
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
  zones: list(
    object({
      id,
      name: label,
      countries: list(country, 1),
      postcodes: orNull(list(object({ from: postcode, to: postcode }), 1)),
    }),
    1,
  ),
  methods: list(
    object({
      id,
      name: label,
      description: orNull(label),
      isCollection: boolean,
      carries: object({
        kinds: list(textThat((kind) => PARCEL_KINDS.some((known) => known === kind), `one of ${PARCEL_KINDS.join(', ')}`)),
        maxLongestMm: mm,
        maxGrams: grams,
      }),
      oversize: list(object({ overMm: mm, cents })),
      zones: list(object({ zoneId: id, baseCents: byKind(cents), perKgCents: cents, estimatedDelivery: label })),
    }),
  ),
  quotedFreight: object({ id, name: label, description: orNull(label), estimatedDelivery: label }),
});

/** The shape of a whole book; what its parts must agree on is in `agreement.ts`. */
export const priceBookSchema = object({
  schema: only(BOOK_SCHEMA, `the number of a schema this service knows, 1 to ${BOOK_SCHEMA}, or left out, which is 1`),
  currency: text(/^[A-Z]{3}$/, 'an ISO 4217 code such as AUD'),
  timeZone: textThat(isTimeZone, 'an IANA time zone such as Australia/Melbourne'),
  cutoffTime: text(/^([01]\d|2[0-3]):[0-5]\d$/, 'a local time HH:MM'),
  holidays: list(date),
  minimumOrderCents: cents,
  lineCeilingCents: integer(1, 100_000_000_000),
  tax: object({ country, divisor: integer(1, 10_000) }),
  products: record(
    object({
      minQuantity: quantity,
      maxQuantity: quantity,
      ladder: list(object({ fromQuantity: quantity, reductionBps: bps })),
    }),
  ),
  print: object({
    classes: object({ museum: orNull(printRate), house: orNull(printRate), everyday: orNull(printRate), canvas: orNull(printRate) }),
    byMediaId: record(printRate),
  }),
  tornEdge: object({ feeMinimumCents: cents, feeBps: bps }),
  sleeves: object({ centsByCode: record(cents), everydayArtCodes: list(label) }),
  mouldings: object({
    defaultCentsPerMetre: orNull(cents),
    centsPerMetreById: record(cents),
    wasteBps: bps,
    roundUpToMm: millimetresAbove0,
    joinCents: cents,
  }),
  mats: object({ ...areaRates, cutCents: cents, captionCents: cents, backingBoardCentsPerSqm: cents, minimumMm: mm, defaultMm: mm }),
  raisedFloat: object({ revealMinimumMm: mm, revealDefaultMm: mm, riserCentsPerMetre: object({ '6': cents, '10': cents }) }),
  glazing: object(areaRates),
  backing: object(areaRates),
  assemblyCents: cents,
  canvas: object({
    barCentsPerMetre: record(cents, { pattern: /^[1-9][0-9]{0,2}mm$/, what: 'a depth such as 30mm' }),
    finishCentsPerSqm: record(cents),
  }),
  rush: object({ express: rushTerms, critical: rushTerms }),
  standardBusinessDays: integer(0, 60),
  shipping,
});
