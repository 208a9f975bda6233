import type { StoredSection } from '../domain/catalogue';
import { VARIANT_KEYS, type IdKey, type VariantKey } from '../domain/basket/variant-keys';

/** A fact of how a line is made, with its name; names of the catalogue in place of ids. */
export type Fact = readonly [name: string, value: string];

/** The name of a row, withdrawn ones too; undefined where nothing is known of it. */
export type NameOf = (section: StoredSection, id: string) => string | undefined;

type Selections = Readonly<Partial<Record<VariantKey, string>>>;
type Say = (of: Selections, nameOf: NameOf) => string | null;

const mm = (value: string): string => `${value} mm`;
const MAT_SIDES = [
  ['matTopMm', 'top'],
  ['matRightMm', 'right'],
  ['matBottomMm', 'bottom'],
  ['matLeftMm', 'left'],
] as const;

const named =
  (key: IdKey, ...sections: [StoredSection, ...StoredSection[]]): Say =>
  ({ [key]: id }, nameOf) =>
    id === undefined ? null : (sections.map((section) => nameOf(section, id)).find((found) => found !== undefined) ?? id);

/** In the order in which a line is made. A fact that a product does not know says nothing. */
const SAYINGS = {
  Size: sayAll(sizeInWords, 'artworkWidthMm', 'artworkHeightMm'),
  'Printed on': named('mediaId', 'media', 'canvasMedia', 'everydayArtMedia'),
  Format: ({ format, depth }) => formatInWords(format, depth),
  Finish: ({ finish }) => finish ?? null,
  'White border': ({ borderMm, borderMode }) => borderInWords(borderMm, borderMode),
  'Torn edge': ({ tornEdge }) => (tornEdge === 'true' ? 'yes, deckled' : null),
  Mat: named('matColorId', 'matboards'),
  'Mat border': matInWords,
  'Caption window': sayAll(
    (width, height) => `${mm(width)} wide × ${mm(height)} high, below the artwork`,
    'textWindowWidthMm',
    'textWindowHeightMm',
  ),
  'Raised float': riserInWords,
  Moulding: named('mouldingId', 'mouldings'),
  Glazing: named('glazingId', 'glazing'),
  Backing: named('backingId', 'backing'),
  Quality: named('qualityTierId', 'qualityTiers'),
  Sleeve: named('sleeve', 'sleeves'),
} as const satisfies Record<string, Say>;
type FactName = keyof typeof SAYINGS;

/** Every selection is told: a key that no product knows stands as it was sent. */
export function factsOf(selections: Readonly<Record<string, string>>, nameOf: NameOf): Fact[] {
  const told = Object.entries(SAYINGS).flatMap(([name, say]): Fact[] => {
    const value = say(selections, nameOf);
    return value === null ? [] : [[name, value]];
  });
  return [...told, ...Object.entries(selections).filter(([key]) => !Object.hasOwn(VARIANT_KEYS, key))];
}

/** What tells lines of a product apart: its size, and what is seen first of it. */
const TOLD_APART: readonly FactName[] = ['Size', 'Printed on', 'Mat', 'Moulding'];

/** A line of an order as documents number it, from 1. */
export const lineNumber = (line: number): string => `Line ${line + 1}`;

/** `Line 1 · 300 mm wide × 400 mm high, portrait · Cotton rag 310`: the line as the job sheet names it. */
export function lineDetail(line: number, selections: Readonly<Record<string, string>> | undefined, nameOf: NameOf): string {
  const told = factsOf(selections ?? {}, nameOf).filter(([name]) => TOLD_APART.some((one) => one === name));
  return [lineNumber(line), ...told.map(([, value]) => value)].join(' · ');
}

function sayAll(words: (first: string, second: string) => string, one: VariantKey, other: VariantKey): Say {
  return ({ [one]: first, [other]: second }) => (first === undefined || second === undefined ? null : words(first, second));
}

function sizeInWords(width: string, height: string): string {
  const [across, up] = [Number(width), Number(height)];
  const shape = across === up ? 'square' : across > up ? 'landscape' : 'portrait';
  return `${mm(width)} wide × ${mm(height)} high, ${shape}`;
}

function formatInWords(format: string | undefined, depth: string | undefined): string | null {
  if (format === 'print-only') return 'rolled, not stretched';
  if (depth === undefined) return null;
  return `stretched over a bar of ${depth}`;
}

function borderInWords(borderMm: string | undefined, borderMode: string | undefined): string | null {
  if (borderMm === undefined || Number(borderMm) === 0) return null;
  return borderMode === 'inside' ? `${mm(borderMm)}, inside the size` : `${mm(borderMm)} around the size`;
}

function matInWords(selections: Selections): string | null {
  if (selections.matSizeMm !== undefined) return `${mm(selections.matSizeMm)} on every side`;
  const sides = MAT_SIDES.flatMap(([key, side]) => (selections[key] === undefined ? [] : [`${side} ${mm(selections[key])}`]));
  return sides.length === 0 ? null : sides.join(', ');
}

function riserInWords({ raisedFloat, raisedFloatDepthMm = '6', raisedFloatRiserColour }: Selections): string | null {
  if (raisedFloat !== 'true') return null;
  return [`on a riser of ${mm(raisedFloatDepthMm)}`, raisedFloatRiserColour].filter((part) => part !== undefined).join(', ');
}
