import { ApiError, type ErrorCode } from '../errors';
import type { VariantKey } from './variant-keys';
import type { QuoteItem } from './quote-request';
import type { CatalogueIndex } from '../catalogue-index';
import type { PriceBook } from '../price-book/price-book';

export interface Line {
  /** Position in the request, from 0. */
  readonly index: number;
  readonly item: QuoteItem;
  readonly catalogue: CatalogueIndex;
  readonly book: PriceBook;
}

export const linePath = (line: Line): string => `items.${line.index}`;
export const selectionPath = (line: Line, key: string): string => `${linePath(line)}.variantSelections.${key}`;

/** The name of a line in messages: `items.2 ("your reference")`. */
function lineName(line: Line): string {
  const reference = line.item.externalReference;
  return reference ? `${linePath(line)} (${quoted(reference)})` : linePath(line);
}

/** The field of an item that an issue concerns, or a variant key. */
const ITEM_FIELDS = ['productSlug', 'quantity', 'imageUrl'] as const;
export type LineField = (typeof ITEM_FIELDS)[number] | VariantKey;

export const fieldPath = (line: Line, place: LineField): string =>
  ITEM_FIELDS.some((field) => field === place) ? `${linePath(line)}.${place}` : selectionPath(line, place);

/** A refusal of one line. `details` contains the refused field, and `alternatives.ts` adds values that would be accepted. */
export class LineRefusal extends ApiError {
  /** `fields`: every field whose change would solve the issue, the most likely first. */
  constructor(
    readonly line: Line,
    code: ErrorCode,
    text: string,
    readonly fields: readonly [LineField, ...LineField[]],
  ) {
    super(code, `${lineName(line)}: ${text}`, { line: line.index, path: fieldPath(line, fields[0]) });
  }
}

export const lineRefusal = (line: Line, code: ErrorCode, text: string, ...fields: [LineField, ...LineField[]]): LineRefusal =>
  new LineRefusal(line, code, text, fields);

/** Quotes, escapes and shortens a caller's text for a message. */
export function quoted(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 79)}…` : text;
  return JSON.stringify(short);
}

export function joinWithOr(values: readonly string[]): string {
  if (values.length < 2) return values.join('');
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}
