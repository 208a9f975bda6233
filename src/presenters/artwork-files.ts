import type { LineArtworkRow } from '../db/repositories/order-artwork';
import type { ListedOrderRow } from '../db/repositories/studio-orders';
import type { IssueCode } from '../domain/order-issues';
import { printerFileName } from '../domain/printer-file-name';
import { fieldsOf } from './fields';

export const ARTWORK_FILE_STATES = ['ready', 'missing', 'rejected', 'unreadable'] as const;
type ArtworkFileState = (typeof ARTWORK_FILE_STATES)[number];

/** The first of these issues that a line has decides the state of its file. */
const STATES: readonly (readonly [IssueCode, ArtworkFileState])[] = [
  ['ARTWORK_REJECTED', 'rejected'],
  ['ARTWORK_UNREADABLE', 'unreadable'],
  ['ARTWORK_MISSING', 'missing'],
];

/** An order with the artwork of its lines. */
export interface OrderWithArtwork extends Pick<
  ListedOrderRow,
  | 'id'
  | 'created_at'
  | 'due_date'
  | 'order_number'
  | 'environment'
  | 'account_name'
  | 'status'
  | 'base_status'
  | 'printed'
  | 'printed_lines'
  | 'issues'
> {
  artwork: readonly LineArtworkRow[];
}

export const artworkFileName = (row: LineArtworkRow): string =>
  printerFileName(row.order_number, row.line, row, row.media_type ?? row.content_type);

/** An order with the files for the printer. */
export function presentOrderArtwork({ artwork, issues, printed_lines: printedLines, ...order }: OrderWithArtwork) {
  return {
    orderId: order.id,
    ...fieldsOf(order, 'order_number', 'environment', 'account_name', 'status', 'base_status', 'printed', 'due_date'),
    files: artwork.map((row) => ({
      line: row.line,
      name: artworkFileName(row),
      ...fieldsOf(row, 'filename', 'size_bytes', 'checksum'),
      state: stateOfFile(row, issues),
      printed: printedLines.includes(row.line),
    })),
  };
}

export function stateOfFile({ line, has_arrived: hasArrived }: LineArtworkRow, issues: OrderWithArtwork['issues']): ArtworkFileState {
  const [, state] = STATES.find(([code]) => issues.some((issue) => issue.code === code && issue.line === line)) ?? [];
  return state ?? (hasArrived ? 'ready' : 'missing');
}
