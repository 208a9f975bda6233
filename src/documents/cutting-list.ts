import type { StudioJobRow } from '../db/repositories/studio-orders';
import type { StoredCatalogueSection } from '../domain/catalogue';
import { mediaSectionOf } from '../domain/orderable-products';
import { CUT_CODES, type Cut, type CutCode } from '../domain/products/cuts';
import type { CsvColumns } from '../presenters/csv';
import { formatMomentIn } from './formatting';
import type { NameLookup } from './line-facts';
import type { PdfContent } from './pdf-renderer';

/** The parts of one line that are cut alike. `pieces` counts all units of the line. */
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
}

export type CutOrder = Pick<StudioJobRow, 'order_number' | 'environment' | 'jobs'>;

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

/** The rows of these orders by part and material, in the order of the orders and lines. */
export function groupCuts(orders: readonly CutOrder[], nameOf: NameLookup): CuttingGroup[] {
  const rows = orders.flatMap(({ order_number: orderNumber, jobs }) =>
    jobs.flatMap(({ productSlug, quantity, cuts }, at) =>
      cuts.map((cut): CuttingRow => {
        const { name: part, section } = partOf(cut.code, productSlug);
        const { materialId } = cut;
        const material = materialId === null ? part : ((section && nameOf(section, materialId)) ?? materialId);
        return { ...cut, part, material, pieces: quantity, orderNumber, line: at + 1, mark: `${orderNumber}/${at + 1}` };
      }),
    ),
  );
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
];

/** The list for the workshop, with the order number of each row as a Code 128 barcode. */
export function createCuttingListContent(
  orders: readonly CutOrder[],
  { nameOf, timeZone, printedAt }: { nameOf: NameLookup; timeZone: string; printedAt: Date },
): PdfContent {
  const numbers = orders.map(({ order_number }) => order_number);
  const barcodes = new Map(numbers.map((number, at) => [number, `order-number-${at}`]));
  return {
    template: 'cutting-list',
    data: {
      title: numbers.length === 1 ? `Cutting list ${numbers[0]}` : `Cutting list of ${numbers.length} orders`,
      footer: `printed ${formatMomentIn(timeZone, printedAt)}`,
      isTest: orders.some(({ environment }) => environment === 'test'),
      groups: groupCuts(orders, nameOf).map(({ part, material, rows }) => ({
        part,
        material,
        total: formatTotal(rows),
        rows: rows.map((row) => {
          const [size, detail] = describeCut(row);
          return { pieces: String(row.pieces), size, detail, mark: row.mark, barcode: `${barcodes.get(row.orderNumber)}.svg` };
        }),
      })),
    },
    barcodes: Object.fromEntries([...barcodes].map(([number, name]) => [name, number])),
  };
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
