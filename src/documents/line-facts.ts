import type { StoredCatalogueSection } from '../domain/catalogue';
import { readArtworkFit } from '../domain/artwork-fit';
import { currentStockDay, neededMaterials, type MissingMaterial } from '../domain/materials';
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

/** The materials that a line still needs and that are out of stock today. */
export function findMissingMaterials(
  job: Parameters<typeof neededMaterials>[0],
  order: Parameters<typeof neededMaterials>[1],
  { nameOf, outOfStockUntil }: MaterialLookup,
  today: string,
): MissingMaterial[] {
  return neededMaterials(job, order).flatMap(({ section, id }): MissingMaterial[] => {
    const until = currentStockDay(outOfStockUntil(section, id), today);
    return until === null ? [] : [{ section, id, name: nameOf(section, id) ?? id, until }];
  });
}

type Selections = Readonly<Partial<Record<VariantKey, string>>>;
type FactFormatter = (of: Selections, nameOf: NameLookup) => string | null;

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
  'Mat border': formatMat,
  'Caption window': formatPair(
    (width, height) => `${mm(width)} wide × ${mm(height)} high, below the artwork`,
    'textWindowWidthMm',
    'textWindowHeightMm',
  ),
  'Raised float': formatRiser,
  Moulding: formatName('mouldingId', 'mouldings'),
  Glazing: formatName('glazingId', 'glazing'),
  Backing: formatName('backingId', 'backing'),
  Quality: formatName('qualityTierId', 'qualityTiers'),
  Sleeve: formatName('sleeve', 'sleeves'),
} as const satisfies Record<string, FactFormatter>;
type FactName = keyof typeof FACT_FORMATTERS;

/** Returns a fact for every selection. Selections with unknown keys are printed unchanged. */
export function factsOf(selections: Readonly<Record<string, string>>, nameOf: NameLookup): Fact[] {
  const facts = Object.entries(FACT_FORMATTERS).flatMap(([name, format]): Fact[] => {
    const value = format(selections, nameOf);
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

function formatMat(selections: Selections): string | null {
  if (selections.matSizeMm !== undefined) return `${mm(selections.matSizeMm)} on every side`;
  const sides = MAT_SIDES.flatMap(([key, side]) => (selections[key] === undefined ? [] : [`${side} ${mm(selections[key])}`]));
  return sides.length === 0 ? null : sides.join(', ');
}

function formatRiser({ raisedFloat, raisedFloatDepthMm = '6', raisedFloatRiserColour }: Selections): string | null {
  if (raisedFloat !== 'true') return null;
  return [`on a riser of ${mm(raisedFloatDepthMm)}`, raisedFloatRiserColour].filter((part) => part !== undefined).join(', ');
}
