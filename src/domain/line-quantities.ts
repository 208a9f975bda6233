import { integerIssue } from './field-formats';
import { LIMITS } from './limits';

/** A quantity of one line of an order. `line` counts from 0, as in the order's `lines` and in the `details` of refusals. */
export interface LineQuantity {
  line: number;
  quantity: number;
}

/** Describes a line both by its index and as people count: `line 0 (the 1st)`. */
export function formatLine(line: number): string {
  const ordinal = line + 1;
  const ending = Math.floor(ordinal / 10) % 10 === 1 ? 'th' : (['th', 'st', 'nd', 'rd'][ordinal % 10] ?? 'th');
  return `line ${line} (the ${ordinal}${ending})`;
}

/** Says in a refusal how many lines the order has, and which line is missing. */
export function describeMissingLine(line: number, lines: number): string {
  return `the order has ${lines} ${lines === 1 ? 'line' : 'lines'}; there is no ${formatLine(line)}`;
}

/**
 * Limits of a list of quantities by line, equal to those of a basket. `lines` is the number of entries; `line` and `quantity` are the
 * ranges of their fields.
 */
export const LINE_QUANTITY_BOUNDS = {
  lines: LIMITS.itemsPerQuote,
  line: { min: 0, max: LIMITS.itemsPerQuote - 1 },
  quantity: { min: 1, max: LIMITS.quantityPerItem },
} as const;

/**
 * Checks a list of quantities by line that a client sent. Each line may appear once.
 * @returns the required form, or null if valid
 */
export function lineQuantitiesIssue(value: unknown): string | null {
  const { lines } = LINE_QUANTITY_BOUNDS;
  if (!Array.isArray(value) || value.length < 1 || value.length > lines) return `must be a list of 1 to ${lines} { line, quantity }`;
  const issues = value.map((entry: unknown, index) => entryIssue(entry, index)).filter((issue) => issue !== null);
  if (issues[0] !== undefined) return issues[0];
  const lineNumbers = (value as LineQuantity[]).map(({ line }) => line);
  return new Set(lineNumbers).size === lineNumbers.length ? null : 'must list each line once';
}

function entryIssue(entry: unknown, at: number): string | null {
  if (typeof entry !== 'object' || entry === null) return `must be a list of { line, quantity }; entry ${at} is not an object`;
  const { line, quantity } = entry as Record<string, unknown>;
  const { line: lines, quantity: quantities } = LINE_QUANTITY_BOUNDS;
  const issue = integerIssue(line, lines.min, lines.max);
  if (issue !== null) return `entry ${at}: line ${issue}`;
  const quantityIssue = integerIssue(quantity, quantities.min, quantities.max);
  return quantityIssue === null ? null : `entry ${at}: quantity ${quantityIssue}`;
}

/**
 * Checks a list of line numbers that a client sent.
 * @returns the required form, or null if valid
 */
export function lineNumbersIssue(value: unknown): string | null {
  const { lines, line } = LINE_QUANTITY_BOUNDS;
  if (!Array.isArray(value) || value.length < 1 || value.length > lines) return `must be a list of 1 to ${lines} lines, from 0`;
  for (const [at, entry] of value.entries()) {
    const issue = integerIssue(entry, line.min, line.max);
    if (issue !== null) return `entry ${at} ${issue}`;
  }
  return new Set(value).size === value.length ? null : 'must list each line once';
}

/** Converts a valid list to the form that is compared and stored: sorted by line, without other fields. */
export function toLineQuantities(value: unknown): LineQuantity[] {
  return (value as LineQuantity[]).map(({ line, quantity }) => ({ line, quantity })).toSorted((a, b) => a.line - b.line);
}

/**
 * Checks that no line is packed with more pieces than were ordered, together with the pieces in other parcels.
 * @returns an error message about the first line with too many pieces, or null
 */
export function excessIssue(
  pieces: readonly LineQuantity[],
  ordered: readonly number[],
  otherParcels: readonly LineQuantity[],
): string | null {
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
