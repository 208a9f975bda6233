import type { StudioJobRow } from '../db/repositories/studio-orders';
import type { StoredCatalogueSection } from '../domain/catalogue';
import { STATUSES_TO_BE_SHIPPED } from '../domain/order-status';
import { mediaSectionOf } from '../domain/orderable-products';
import { CUT_CODES, type Cut, type CutCode } from '../domain/products/cuts';
import type { CsvColumns } from '../presenters/csv';
import { formatMomentIn } from './formatting';
import { progressOfLines, type NameLookup, type OrderInWork } from './line-facts';
import type { PdfContent } from './pdf-renderer';

/** The parts of one line that are cut alike. `pieces` counts the units of the line that are in no parcel. */
export interface CuttingRow extends Cut {
  part: string;
  /** The name of the material, or its id if the catalogue no longer has it. */
  material: string;
  pieces: number;
  orderNumber: string;
  /** Counts from 1, as on the job sheet. */
  line: number;
  /** What to write on each piece: `P-10041/2` is a piece of line 2. */
  mark: string;
  isOnHold: boolean;
}

export type CutOrder = OrderInWork & Pick<StudioJobRow, 'order_number' | 'environment' | 'status'>;

interface Part {
  name: string;
  section?: StoredCatalogueSection;
}

/** The parts in the order of the list, with the catalogue section of their materials. */
const PARTS: Record<CutCode, Part> = {
  print: { name: 'Paper' },
  moulding: { name: 'Moulding', section: 'mouldings' },
  glazing: { name: 'Glass', section: 'glazing' },
  mat: { name: 'Mat', section: 'matboards' },
  'base-board': { name: 'Base board', section: 'matboards' },
  backing: { name: 'Backing', section: 'backing' },
  'backing-board': { name: 'Backing board' },
  'raised-float': { name: 'Riser' },
  stretching: { name: 'Stretcher bars' },
};

/** The name of the part, and the section of its material. The printed sheet of a canvas product is canvas. */
export function partOf(code: CutCode, productSlug: string): Part {
  if (code !== 'print') return PARTS[code];
  const section = mediaSectionOf(productSlug);
  return { name: section === 'canvasMedia' ? 'Canvas' : PARTS.print.name, section };
}

/** What is cut from one material. */
export interface CuttingGroup {
  part: string;
  material: string;
  rows: CuttingRow[];
}

/** The rows of the pieces still to make by part and material, in the order of the orders and lines. */
export function groupCuts(orders: readonly CutOrder[], nameOf: NameLookup): CuttingGroup[] {
  const rows = orders.flatMap((order) => rowsOf(order, nameOf));
  return CUT_CODES.flatMap((code) => {
    const ofPart = rows.filter((row) => row.code === code);
    const byId = new Map(ofPart.map(({ materialId, material }) => [materialId, material]));
    return [...byId]
      .toSorted(([, one], [, other]) => (one < other ? -1 : 1))
      .map(([id, material]) => {
        const ofMaterial = ofPart.filter(({ materialId }) => materialId === id);
        return { part: ofMaterial[0]?.part ?? PARTS[code].name, material, rows: ofMaterial };
      });
  });
}

/** Printed lines need no paper, and framed lines nothing else. */
function rowsOf(order: CutOrder, nameOf: NameLookup): CuttingRow[] {
  const { order_number: orderNumber, base_status: baseStatus } = order;
  return progressOfLines(order).flatMap(({ job: { productSlug, cuts }, line: at, openPieces, isPrinted, isFramed }) =>
    cuts
      .filter(({ code }) => openPieces > 0 && !(code === 'print' ? isPrinted : isFramed))
      .map((cut): CuttingRow => {
        const { name: part, section } = partOf(cut.code, productSlug);
        const material = materialName(cut, section, nameOf) ?? part;
        const line = at + 1;
        const mark = `${orderNumber}/${line}`;
        return { ...cut, part, material, pieces: openPieces, orderNumber, line, mark, isOnHold: baseStatus === 'on_hold' };
      }),
  );
}

/** The name in the catalogue, or the id; `6mm, black` for a riser. */
function materialName({ code, materialId }: Cut, section: StoredCatalogueSection | undefined, nameOf: NameLookup): string | null {
  if (materialId === null) return null;
  return code === 'raised-float' ? materialId.replace('-', ', ') : ((section && nameOf(section, materialId)) ?? materialId);
}

/** `420 × 594 at 60, 60`: the size of each window, and the distance of its corner from the left and upper edge of the mat. */
export const formatWindows = ({ windows = [] }: Pick<Cut, 'windows'>): string =>
  windows.map(({ widthMm, heightMm, leftMm, topMm }) => `${widthMm} × ${heightMm} at ${leftMm}, ${topMm}`).join('; ');

/** The printed size of a cut, and its length or windows. */
export const describeCut = (cut: Cut): readonly [size: string, detail: string] => [
  `${cut.widthMm} × ${cut.heightMm}`,
  cut.lengthMm === undefined ? formatWindows(cut) : `${cut.lengthMm} mm`,
];

export const CUTTING_LIST_CSV: CsvColumns<CuttingRow> = [
  ['Part', ({ part }) => part],
  ['Material', ({ material }) => material],
  ['Material id', ({ materialId }) => materialId],
  ['Pieces', ({ pieces }) => pieces],
  ['Width mm', ({ widthMm }) => widthMm],
  ['Height mm', ({ heightMm }) => heightMm],
  ['Length mm', ({ lengthMm }) => lengthMm ?? null],
  ['Windows', formatWindows],
  ['Mark', ({ mark }) => mark],
  ['Order', ({ orderNumber }) => orderNumber],
  ['Line', ({ line }) => line],
  ['On hold', ({ isOnHold }) => isOnHold],
];

/** The list for the workshop, with the order number of each row as a Code 128 barcode. Orders without rows are named at the head. */
export function createCuttingListContent(
  orders: readonly CutOrder[],
  { nameOf, timeZone, printedAt }: { nameOf: NameLookup; timeZone: string; printedAt: Date },
): PdfContent {
  const groups = groupCuts(orders, nameOf);
  const listed = new Set(groups.flatMap(({ rows }) => rows.map(({ orderNumber }) => orderNumber)));
  const omitted = orders.filter(({ order_number }) => !listed.has(order_number));
  const numbers = [...listed];
  const barcodes = new Map(numbers.map((number, at) => [number, `order-number-${at}`]));
  return {
    template: 'cutting-list',
    data: {
      title: numbers.length === 1 ? `Cutting list ${numbers[0]}` : `Cutting list of ${numbers.length} orders`,
      footer: `printed ${formatMomentIn(timeZone, printedAt)}`,
      isTest: orders.some(({ environment }) => environment === 'test'),
      notice: omitted.length === 0 ? null : `Nothing to cut: ${omitted.map(formatOmitted).join(', ')}`,
      groups: groups.map(({ part, material, rows }) => ({
        part,
        material,
        total: formatTotal(rows),
        rows: rows.map((row) => {
          const [size, detail] = describeCut(row);
          const { pieces, mark, isOnHold } = row;
          return { pieces: String(pieces), size, detail, mark, isOnHold, barcode: `${barcodes.get(row.orderNumber)}.svg` };
        }),
      })),
    },
    barcodes: Object.fromEntries([...barcodes].map(([number, name]) => [name, number])),
  };
}

/** `P-10041 (in production)` */
function formatOmitted({ order_number, status, base_status }: CutOrder): string {
  const shown = STATUSES_TO_BE_SHIPPED.includes(base_status) ? status : base_status;
  return `${order_number} (${shown.replaceAll('_', ' ')})`;
}

/** `3 pieces · 8.004 m`, or the area of sheets in m². */
export function formatTotal(rows: readonly Pick<CuttingRow, 'pieces' | 'widthMm' | 'heightMm' | 'lengthMm'>[]): string {
  const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((total, row) => total + row.pieces * of(row), 0);
  const pieces = sum(() => 1);
  const measure = rows.every(({ lengthMm }) => lengthMm !== undefined)
    ? `${(sum(({ lengthMm = 0 }) => lengthMm) / 1000).toFixed(3)} m`
    : `${(sum(({ widthMm, heightMm }) => widthMm * heightMm) / 1_000_000).toFixed(3)} m²`;
  return `${pieces} ${pieces === 1 ? 'piece' : 'pieces'} · ${measure}`;
}
