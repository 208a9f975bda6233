import type { StoredCatalogueSection } from '../domain/catalogue';
import { readArtworkFit } from '../domain/artwork-fit';
import type { StudioJobRow } from '../db/repositories/studio-orders';
import { currentStockDay, neededMaterials, type LineProgress, type MissingMaterial } from '../domain/materials';
import type { PricedJob } from '../domain/pricing/priced-quote';
import { STATUSES_TO_BE_SHIPPED } from '../domain/order-status';
import type { Cut, CutCode } from '../domain/products/cuts';
import { VARIANT_KEYS, type IdKey, type VariantKey } from '../domain/basket/variant-keys';

/** A label and its value, with catalogue names instead of ids. */
export type Fact = readonly [name: string, value: string];

/** The name of a catalogue row, including withdrawn ones; undefined if the row is unknown. */
export type NameLookup = (section: StoredCatalogueSection, id: string) => string | undefined;

/** Names and stock of the materials of lines. */
export interface MaterialLookup {
  nameOf: NameLookup;
  outOfStockUntil: (section: StoredCatalogueSection, id: string) => string | null;
}

export type OrderInWork = Pick<StudioJobRow, 'base_status' | 'printed_lines' | 'stage_lines' | 'parcels' | 'jobs'>;

interface LineInWork extends LineProgress {
  job: PricedJob;
  /** From 0. */
  line: number;
}

/** A parcel with unknown contents counts as containing all remaining pieces. */
export function progressOfLines({ base_status, printed_lines, stage_lines, parcels, jobs }: OrderInWork): LineInWork[] {
  const isOpen = STATUSES_TO_BE_SHIPPED.includes(base_status) && parcels.every(({ lines }) => lines !== null);
  const packed = new Map<number, number>();
  for (const { line, quantity } of parcels.flatMap(({ lines }) => lines ?? [])) packed.set(line, (packed.get(line) ?? 0) + quantity);
  return jobs.map((job, line) => ({
    job,
    line,
    openPieces: isOpen ? job.quantity - (packed.get(line) ?? 0) : 0,
    isPrinted: printed_lines.includes(line),
    isFramed: stage_lines.framed.includes(line),
  }));
}

/** For each line, the materials that it still needs and that are out of stock today. */
export const findMissingMaterials = (order: OrderInWork, { nameOf, outOfStockUntil }: MaterialLookup, today: string): MissingMaterial[][] =>
  progressOfLines(order).map((progress) =>
    neededMaterials(progress.job, progress).flatMap(({ section, id }): MissingMaterial[] => {
      const until = currentStockDay(outOfStockUntil(section, id), today);
      return until === null ? [] : [{ section, id, name: nameOf(section, id) ?? id, until }];
    }),
  );

type Selections = Readonly<Partial<Record<VariantKey, string>>>;
type FactFormatter = (of: Selections, nameOf: NameLookup, cuts: readonly Cut[]) => string | null;

const mm = (value: string): string => `${value} mm`;
const MAT_SIDES = [
  ['matTopMm', 'top'],
  ['matRightMm', 'right'],
  ['matBottomMm', 'bottom'],
  ['matLeftMm', 'left'],
] as const;

const formatName =
  (key: IdKey, ...sections: [StoredCatalogueSection, ...StoredCatalogueSection[]]): FactFormatter =>
  ({ [key]: id }, nameOf) =>
    id === undefined ? null : (sections.map((section) => nameOf(section, id)).find((found) => found !== undefined) ?? id);

/** Sorted by production step. A formatter returns null if the product does not have the fact. */
const FACT_FORMATTERS = {
  Size: formatPair(formatSize, 'artworkWidthMm', 'artworkHeightMm'),
  'Printed on': formatName('mediaId', 'media', 'canvasMedia', 'everydayArtMedia'),
  Format: ({ format, depth }) => formatStretching(format, depth),
  Finish: ({ finish }) => finish ?? null,
  'Picture fit': ({ artworkFit }) => formatFit(artworkFit),
  'White border': ({ borderMm, borderMode }) => formatBorder(borderMm, borderMode),
  'Torn edge': ({ tornEdge }) => (tornEdge === 'true' ? 'yes, deckled' : null),
  Mat: formatName('matColorId', 'matboards'),
  'Mat border': (of, _nameOf, cuts) => (of.matColorId === undefined || isFloating(of) ? null : formatBorders(of, cuts)),
  'Caption window': formatPair(
    (width, height) => `${mm(width)} wide × ${mm(height)} high, below the artwork`,
    'textWindowWidthMm',
    'textWindowHeightMm',
  ),
  Reveal: (of, _nameOf, cuts) => (isFloating(of) ? formatBorders(of, cuts) : null),
  'Raised float': formatRiser,
  Moulding: formatName('mouldingId', 'mouldings'),
  Glazing: formatName('glazingId', 'glazing'),
  Backing: formatName('backingId', 'backing'),
  Quality: formatName('qualityTierId', 'qualityTiers'),
  Sleeve: formatName('sleeve', 'sleeves'),
} as const satisfies Record<string, FactFormatter>;
type FactName = keyof typeof FACT_FORMATTERS;

/**
 * Returns a fact for every selection that has an effect. Selections with unknown keys are printed unchanged.
 * @param cuts have the border that was priced if none was sent
 */
export function factsOf(selections: Readonly<Record<string, string>>, nameOf: NameLookup, cuts: readonly Cut[] = []): Fact[] {
  const facts = Object.entries(FACT_FORMATTERS).flatMap(([name, format]): Fact[] => {
    const value = format(selections, nameOf, cuts);
    return value === null ? [] : [[name, value]];
  });
  return [...facts, ...Object.entries(selections).filter(([key]) => !Object.hasOwn(VARIANT_KEYS, key))];
}

/** The facts that tell lines of the same product apart. */
const DISTINGUISHING_FACTS: readonly FactName[] = ['Size', 'Printed on', 'Mat', 'Moulding'];

/** The printed label of a line; `line` counts from 0, the label from 1. */
export const lineNumber = (line: number): string => `Line ${line + 1}`;

/** `Line 1 · 300 mm wide × 400 mm high, portrait · Cotton rag 310`, as on the job sheet. */
export function lineDetail(line: number, selections: Readonly<Record<string, string>> | undefined, nameOf: NameLookup): string {
  const facts = factsOf(selections ?? {}, nameOf).filter(([name]) => DISTINGUISHING_FACTS.some((one) => one === name));
  return [lineNumber(line), ...facts.map(([, value]) => value)].join(' · ');
}

function formatFit(value: string | undefined): string | null {
  const fit = readArtworkFit(value);
  if (fit === null) return null;
  return fit === 'fill' ? 'crop to the size, centered' : 'whole picture, with white margins';
}

function formatPair(format: (first: string, second: string) => string, firstKey: VariantKey, secondKey: VariantKey): FactFormatter {
  return ({ [firstKey]: first, [secondKey]: second }) => (first === undefined || second === undefined ? null : format(first, second));
}

function formatSize(width: string, height: string): string {
  const [widthMm, heightMm] = [Number(width), Number(height)];
  const shape = widthMm === heightMm ? 'square' : widthMm > heightMm ? 'landscape' : 'portrait';
  return `${mm(width)} wide × ${mm(height)} high, ${shape}`;
}

function formatStretching(format: string | undefined, depth: string | undefined): string | null {
  if (format === 'print-only') return 'rolled, not stretched';
  if (depth === undefined) return null;
  return `stretched over a bar of ${depth}`;
}

function formatBorder(borderMm: string | undefined, borderMode: string | undefined): string | null {
  if (borderMm === undefined || Number(borderMm) === 0) return null;
  return borderMode === 'inside' ? `${mm(borderMm)}, part of the size` : `${mm(borderMm)}, added to the size`;
}

const isFloating = ({ raisedFloat }: Selections): boolean => raisedFloat === 'true';

function formatBorders(selections: Selections, cuts: readonly Cut[]): string | null {
  const sides = MAT_SIDES.flatMap(([key, side]) => (selections[key] === undefined ? [] : [`${side} ${mm(selections[key])}`]));
  if (sides.length > 0) return sides.join(', ');
  const border = selections.matSizeMm ?? defaultBorder(cuts);
  return border === undefined ? null : `${mm(border)} on every side`;
}

/** The price book's border, which is equal on all sides. */
function defaultBorder(cuts: readonly Cut[]): string | undefined {
  const find = (...codes: CutCode[]): Cut | undefined => cuts.find(({ code }) => codes.includes(code));
  const [artwork, outer] = [find('print'), find('glazing', 'backing-board')];
  return artwork && outer && String((outer.widthMm - artwork.widthMm) / 2);
}

function formatRiser(selections: Selections): string | null {
  if (!isFloating(selections)) return null;
  const { raisedFloatDepthMm = '6', raisedFloatRiserColour } = selections;
  return [`on a riser of ${mm(raisedFloatDepthMm)}`, raisedFloatRiserColour].filter((part) => part !== undefined).join(', ');
}
