import type { StoredSection } from '../domain/catalogue';
import { lineInWords } from '../domain/line-pieces';

/** A fact of how a line is made, with its name; names of the catalogue in place of ids. */
export type Fact = readonly [name: string, value: string];

/** The name of a row, withdrawn ones too; undefined where nothing is known of it. */
export type NameOf = (section: StoredSection, id: string) => string | undefined;

type Selections = Readonly<Record<string, string>>;
/** What some keys say together, and which those are. */
type Saying = { name: string; keys: readonly string[]; say: (of: Selections, nameOf: NameOf) => string | null };

const mm = (value: string): string => `${value} mm`;
const MAT_SIDES = [
  ['matTopMm', 'top'],
  ['matRightMm', 'right'],
  ['matBottomMm', 'bottom'],
  ['matLeftMm', 'left'],
] as const;

const named = (name: string, key: string, ...sections: [StoredSection, ...StoredSection[]]): Saying => ({
  name,
  keys: [key],
  say: ({ [key]: id }, nameOf) =>
    id === undefined ? null : (sections.map((section) => nameOf(section, id)).find((found) => found !== undefined) ?? id),
});

/** In the order in which a line is made; what a product does not know of it does not say. */
const SAYINGS: readonly Saying[] = [
  { name: 'Size', keys: ['artworkWidthMm', 'artworkHeightMm'], say: sayAll(sizeInWords, 'artworkWidthMm', 'artworkHeightMm') },
  named('Printed on', 'mediaId', 'media', 'canvasMedia', 'everydayArtMedia'),
  { name: 'Format', keys: ['format', 'depth'], say: ({ format, depth }) => formatInWords(format, depth) },
  { name: 'Finish', keys: ['finish'], say: ({ finish }) => finish ?? null },
  { name: 'White border', keys: ['borderMm', 'borderMode'], say: ({ borderMm, borderMode }) => borderInWords(borderMm, borderMode) },
  { name: 'Torn edge', keys: ['tornEdge'], say: ({ tornEdge }) => (tornEdge === 'true' ? 'yes, deckled' : null) },
  named('Mat', 'matColorId', 'matboards'),
  { name: 'Mat border', keys: ['matSizeMm', ...MAT_SIDES.map(([key]) => key)], say: matInWords },
  {
    name: 'Caption window',
    keys: ['textWindowWidthMm', 'textWindowHeightMm'],
    say: sayAll((width, height) => `${mm(width)} wide × ${mm(height)} high, below the artwork`, 'textWindowWidthMm', 'textWindowHeightMm'),
  },
  { name: 'Raised float', keys: ['raisedFloat', 'raisedFloatDepthMm', 'raisedFloatRiserColour'], say: riserInWords },
  named('Moulding', 'mouldingId', 'mouldings'),
  named('Glazing', 'glazingId', 'glazing'),
  named('Backing', 'backingId', 'backing'),
  named('Quality', 'qualityTierId', 'qualityTiers'),
  named('Sleeve', 'sleeve', 'sleeves'),
];

/** Every selection is told: what no saying knows, by its key. */
export function factsOf(selections: Selections, nameOf: NameOf): Fact[] {
  const told = SAYINGS.flatMap(({ name, say }): Fact[] => {
    const value = say(selections, nameOf);
    return value === null ? [] : [[name, value]];
  });
  const known = new Set(SAYINGS.flatMap(({ keys }) => keys));
  return [...told, ...Object.entries(selections).filter(([key]) => !known.has(key))];
}

/** What tells lines of a product apart: its size, and what is seen first of it. */
const TOLD_APART: readonly string[] = ['Size', 'Printed on', 'Mat', 'Moulding'];

/**
 * `line 0 (the 1st) · 300 mm wide × 400 mm high, portrait · Cotton rag 310`: the line as the job sheet names it, its size, its materials.
 */
export function lineDetail(line: number, selections: Selections | undefined, nameOf: NameOf): string {
  const told = factsOf(selections ?? {}, nameOf).filter(([name]) => TOLD_APART.includes(name));
  return [lineInWords(line), ...told.map(([, value]) => value)].join(' · ');
}

/** Both or nothing. */
function sayAll(words: (first: string, second: string) => string, one: string, other: string): Saying['say'] {
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
