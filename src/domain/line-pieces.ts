import { integerIssue } from './field-formats';
import { LIMITS } from './limits';

/** Pieces of one line of an order. `line` counts from 0, as in the order's `lines` and in the `details` of refusals (ruling 42). */
export interface LinePieces {
  line: number;
  quantity: number;
}

/** A line as people are told of it, who count from one: `line 0 (the 1st)`. */
export function formatLine(line: number): string {
  const ordinal = line + 1;
  const ending = Math.floor(ordinal / 10) % 10 === 1 ? 'th' : (['th', 'st', 'nd', 'rd'][ordinal % 10] ?? 'th');
  return `line ${line} (the ${ordinal}${ending})`;
}

/** An order's lines, where one that it has not is named: so that both who counts from 0 and who counts from 1 sees which was meant. */
export function describeMissingLine(line: number, lines: number): string {
  return `the order has ${lines} ${lines === 1 ? 'line' : 'lines'}; there is no ${formatLine(line)}`;
}

/** A line is named once. Each bound is that of a basket. */
export const PIECES_BOUNDS = {
  lines: LIMITS.itemsPerQuote,
  line: { min: 0, max: LIMITS.itemsPerQuote - 1 },
  quantity: { min: 1, max: LIMITS.quantityPerItem },
} as const;

/** @returns what is wrong with a list of pieces from outside, or null */
export function piecesIssue(value: unknown): string | null {
  const { lines } = PIECES_BOUNDS;
  if (!Array.isArray(value) || value.length < 1 || value.length > lines) return `must be a list of 1 to ${lines} { line, quantity }`;
  const issues = value.map((entry: unknown, index) => entryIssue(entry, index)).filter((issue) => issue !== null);
  if (issues[0] !== undefined) return issues[0];
  const lineNumbers = (value as LinePieces[]).map(({ line }) => line);
  return new Set(lineNumbers).size === lineNumbers.length ? null : 'must list each line once';
}

function entryIssue(entry: unknown, at: number): string | null {
  if (typeof entry !== 'object' || entry === null) return `must be a list of { line, quantity }; entry ${at} is not an object`;
  const { line, quantity } = entry as Record<string, unknown>;
  const { line: lines, quantity: quantities } = PIECES_BOUNDS;
  const issue = integerIssue(line, lines.min, lines.max);
  if (issue !== null) return `entry ${at}: line ${issue}`;
  const quantityIssue = integerIssue(quantity, quantities.min, quantities.max);
  return quantityIssue === null ? null : `entry ${at}: quantity ${quantityIssue}`;
}

/** In the one form that is compared and stored: by line, and nothing else in an entry. */
export function readPieces(value: unknown): LinePieces[] {
  return (value as LinePieces[]).map(({ line, quantity }) => ({ line, quantity })).toSorted((a, b) => a.line - b.line);
}

/** @returns in words, the first line of which more is packed than was ordered, other parcels included; null where all fits */
export function excessIssue(pieces: readonly LinePieces[], ordered: readonly number[], otherParcels: readonly LinePieces[]): string | null {
  const packedElsewhere = (line: number): number =>
    otherParcels.reduce((sum, other) => sum + (other.line === line ? other.quantity : 0), 0);
  for (const { line, quantity } of pieces) {
    const orderedQuantity = ordered[line];
    if (orderedQuantity === undefined) return describeMissingLine(line, ordered.length);
    const otherQuantity = packedElsewhere(line);
    if (otherQuantity + quantity > orderedQuantity)
      return `quantity ${quantity} is too large for ${formatLine(line)}: ordered ${orderedQuantity}, in other parcels ${otherQuantity}`;
  }
  return null;
}
