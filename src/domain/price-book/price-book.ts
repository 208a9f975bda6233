/** The schema of books of this shape. */
export const BOOK_SCHEMA = 3;

/**
 * A price book: one immutable JSON document, its version and effective date kept outside it. Money in integer cents, rates
 * in cents per m² or per metre, lengths in mm, weights in g, percentages in basis points (10000 = 100 %).
 * A rate that is null, or an id without a rate and without a class default, means "not sold".
 */
export interface PriceBook {
  /** Of the document's shape; one without it is of schema 1 (`read.ts`). */
  schema: typeof BOOK_SCHEMA;
  currency: string;
  /** IANA name; cut-off and holidays are read in it. */
  timeZone: string;
  /** `HH:MM` local: work that arrives at or after it starts on the next business day. */
  cutoffTime: string;
  /** `YYYY-MM-DD`, studio-local; Saturdays and Sundays need no entry. */
  holidays: string[];
  minimumOrderCents: number;
  /** A line whose amount is above this is refused. */
  lineCeilingCents: number;
  /** Tax contained in prices: total ÷ divisor for this country, nothing elsewhere. */
  tax: { country: string; divisor: number };
  products: Record<string, ProductTerms>;
  print: PrintRates;
  tornEdge: { feeMinimumCents: number; feeBps: number };
  sleeves: { centsByCode: Record<string, number>; everydayArtCodes: string[] };
  mouldings: MouldingRates;
  mats: MatRates;
  raisedFloat: RaisedFloatRates;
  glazing: AreaRates;
  backing: AreaRates;
  assemblyCents: number;
  canvas: CanvasRates;
  rush: { express: RushTerms; critical: RushTerms };
  /** Within which work is due that is in no rush (ruling 65). */
  standardBusinessDays: number;
  shipping: ShippingTerms;
}

export interface LadderStep {
  fromQuantity: number;
  reductionBps: number;
}
export interface ProductTerms {
  minQuantity: number;
  maxQuantity: number;
  ladder: LadderStep[];
}

export interface PrintRate {
  centsPerSqm: number;
  minimumCents: number;
}
const PRINT_CLASSES = ['museum', 'house', 'everyday', 'canvas'] as const;
export type PrintClass = (typeof PRINT_CLASSES)[number];
interface PrintRates {
  classes: Record<PrintClass, PrintRate | null>;
  byMediaId: Record<string, PrintRate>;
}

export interface AreaRates {
  defaultCentsPerSqm: number | null;
  centsPerSqmById: Record<string, number>;
}
interface MatRates extends AreaRates {
  /** Cutting the window. */
  cutCents: number;
  /** A second window for a caption. */
  captionCents: number;
  /** The board behind a print-and-mat, which is not chosen. */
  backingBoardCentsPerSqm: number;
  minimumMm: number;
  /** Border when a mat is chosen without a size. */
  defaultMm: number;
}
interface MouldingRates {
  defaultCentsPerMetre: number | null;
  centsPerMetreById: Record<string, number>;
  /** Added to the cut length. */
  wasteBps: number;
  /** The length billed is rounded up to this. */
  roundUpToMm: number;
  joinCents: number;
}
interface RaisedFloatRates {
  revealMinimumMm: number;
  revealDefaultMm: number;
  riserCentsPerMetre: { '6': number; '10': number };
}
interface CanvasRates {
  /** By depth literal such as `30mm`; that of float frames is always there. */
  barCentsPerMetre: Record<string, number>;
  finishCentsPerSqm: Record<string, number>;
}
export interface RushTerms {
  surchargeBps: number;
  minimumCents: number;
  businessDays: number;
}

export const PARCEL_KINDS = ['flat', 'tube', 'box'] as const;
export type ParcelKind = (typeof PARCEL_KINDS)[number];

export interface ShippingTerms {
  /** A method that would cost more than this for a basket does not carry it. */
  ceilingCents: number;
  cubicKgPerCubicMetre: number;
  /** Largest piece, either way round, that travels in a flat mailer. */
  flatLimitMm: { longMm: number; shortMm: number };
  packing: Record<ParcelKind, PackingTerms>;
  weights: WeightTerms;
  /** The first zone that matches the destination is its zone. */
  zones: Zone[];
  methods: ShippingMethod[];
  /** Offered, unpriced, when no method carries the parcels. */
  quotedFreight: { id: string; name: string; description: string | null; estimatedDelivery: string };
}
export interface PackingTerms {
  /** Added to each of the three outer dimensions in total; for a tube only to its length. */
  paddingMm: number;
  packagingGrams: number;
  maxContentGrams: number;
  /** Thickness of the pieces on top of each other; for a tube the sheets rolled together. */
  maxStackMm: number;
  /** Outer size is at least this in the two smaller dimensions of a tube, and this thick otherwise. */
  minThicknessMm: number;
}
interface WeightTerms {
  defaultPaperGsm: number;
  sheetThicknessMm: number;
  sleevedThicknessMm: number;
  sleeveGsm: number;
  mouldingKgPerCubicMetre: number;
  defaultMouldingDepthMm: number;
  glassGsm: number;
  acrylicGsm: number;
  matGsm: number;
  backingGsm: number;
  barGramsPerMetre: number;
  mattedThicknessMm: number;
}
export interface Zone {
  id: string;
  name: string;
  countries: string[];
  /** Inclusive four-digit ranges; null means the whole country. Only for zones of one country. */
  postcodes: { from: string; to: string }[] | null;
}
export interface ShippingMethod {
  id: string;
  name: string;
  description: string | null;
  isCollection: boolean;
  /** What one parcel may be; a basket with any other parcel is not carried. Ignored for collection. */
  carries: { kinds: ParcelKind[]; maxLongestMm: number; maxGrams: number };
  /** The highest step a parcel's longest side passes is added to it. */
  oversize: { overMm: number; cents: number }[];
  zones: ZoneRate[];
}
export interface ZoneRate {
  zoneId: string;
  baseCents: Record<ParcelKind, number>;
  perKgCents: number;
  estimatedDelivery: string;
}

/** Float frames are made for canvases of this depth alone. */
export const FLOAT_FRAME_DEPTH = '30mm';
