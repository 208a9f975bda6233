import { readArtworkFit } from '../domain/artwork-fit';
import { addressLines } from '../domain/address-lines';
import type { InspectedArtwork, StudioJobRow, StudioRecords } from '../db/repositories/studio-orders';
import { isLate, type BaseStatus } from '../domain/order-status';
import type { PricedJob } from '../domain/pricing/priced-quote';
import { presentLineInspection } from '../presenters/uploads';
import { describeCut, partOf } from './cutting-list';
import { type Fact, factsOf, findMissingMaterials, lineNumber, type MaterialLookup } from './line-facts';
import type { PdfContent } from './pdf-renderer';
import { countLetters, MAX_PRINTED_LETTERS } from './printed-letters';
import { formatDayIn, isNonEmpty, formatLongDay, formatMomentIn } from './formatting';

interface JobSheet {
  records: Pick<StudioRecords, 'order' | 'uploads'>;
  /** The delivery method's name; null if the order has none. */
  methodName: string | null;
}

interface JobSheetsInput {
  sheets: readonly JobSheet[];
  materials: MaterialLookup;
  /** WebP images by artwork URL. Artwork without a preview has no entry. */
  previews: ReadonlyMap<string, Buffer>;
  timeZone: string;
  printedAt: Date;
  /** The studio's calendar day of `printedAt`, `YYYY-MM-DD`. */
  today: string;
}

/** Keeps several sheets within the renderer's time and memory: a line takes about 1.5 ms and 0.2 MB. */
export const MAX_PRINTED_LINES = 1000;

/** How many of these orders fit in one document, from the first. A single order always fits. */
export function countPrintableOrders(orders: readonly StudioJobRow[]): number {
  let [lines, letters] = [0, 0];
  const firstOmitted = orders.findIndex((order, at) => {
    lines += order.jobs.length;
    letters += countLetters(JSON.stringify([order.lines, order.shipping_address, order.special_instructions, order.remake_of]));
    return at > 0 && (lines > MAX_PRINTED_LINES || letters > MAX_PRINTED_LETTERS);
  });
  return firstOmitted === -1 ? orders.length : firstOmitted;
}

/** A job sheet tells the workshop the items, materials, due date and destination. Each order begins on a new page. */
export function createJobSheetsContent({ sheets, previews, ...context }: JobSheetsInput): PdfContent {
  const pictures = new Map([...previews].map(([url, bytes], at) => [url, { name: `preview-${at}.jpg`, bytes }] as const));
  const numbers = sheets.map(({ records }) => records.order.order_number);
  return {
    template: 'job-sheet',
    data: {
      title: numbers.length === 1 ? `Job sheet ${numbers[0]}` : `${numbers.length} job sheets`,
      footer: `printed ${formatMomentIn(context.timeZone, context.printedAt)}`,
      isTest: sheets.some(({ records }) => records.order.environment === 'test'),
      sheets: sheets.map((sheet, at) => ({
        barcode: `${barcodeName(at)}.svg`,
        ...sheetData(sheet, context, (url) => pictures.get(url)?.name ?? null),
      })),
    },
    barcodes: Object.fromEntries(numbers.map((number, at) => [barcodeName(at), number])),
    pictures: new Map([...pictures.values()].map(({ name, bytes }) => [name, bytes])),
  };
}

const barcodeName = (at: number): string => `order-number-${at}`;

function sheetData(
  { records: { order, uploads }, methodName }: JobSheet,
  { materials, timeZone, today }: Pick<JobSheetsInput, 'materials' | 'timeZone' | 'today'>,
  pictureOf: (url: string) => string | null,
) {
  const artwork = new Map(uploads.map((upload) => [upload.url, upload]));
  const { shipping_address: address } = order;
  const missing = findMissingMaterials(order, materials, today);
  return {
    orderNumber: order.order_number,
    account: order.account_name,
    placedAt: formatDayIn(timeZone, order.created_at),
    status: order.status.replaceAll('_', ' '),
    due: dueOf(order),
    badges: badgesOf(order, today),
    remake: order.remake_of === null ? null : `Remake of ${order.remake_of.order_number}: ${order.remake_of.reason}`,
    instructions: isNonEmpty(order.special_instructions) ? order.special_instructions : null,
    lines: order.jobs.map((job, at) => ({
      line: lineNumber(at),
      quantity: String(job.quantity),
      product: order.lines[at]?.productName ?? job.productSlug,
      reference: order.lines[at]?.externalReference ?? null,
      facts: [...factsOf(job.selections, materials.nameOf, job.cuts), ...artworkFacts(job, artwork)],
      missing: (missing[at] ?? []).map(({ name, until }) => `Out of stock until ${formatLongDay(until)}: ${name}`),
      cuts: job.cuts.map((cut) => [partOf(cut.code, job.productSlug).name, ...describeCut(cut)]),
      picture: job.imageUrl === null ? null : pictureOf(job.imageUrl),
    })),
    shipTo: [...addressLines(address), address.phone, address.email].filter(isNonEmpty),
    shippingMethod: methodName ?? 'not specified',
    sender: order.white_label ? `${order.account_name} (white label: no studio branding in the parcel)` : 'the studio',
  };
}

const STATUS_BADGES: Readonly<Record<BaseStatus, readonly string[]>> = {
  received: [],
  in_production: [],
  on_hold: ['ON HOLD'],
  completed: [],
  cancelled: ['CANCELLED'],
};

/** The promised day, or the day that the standard turnaround gives. */
function dueOf({ promised_ready_date: promised, due_date: due }: StudioRecords['order']): Fact {
  if (promised !== null) return ['Promised', formatLongDay(promised)];
  return ['Due', due === null ? 'no date' : formatLongDay(due)];
}

/** The badges that point out special handling, the most important first. */
function badgesOf(order: StudioRecords['order'], today: string): string[] {
  const { status, base_status, due_date, remake_of, rush_tier, white_label } = order;
  return [
    ...STATUS_BADGES[base_status],
    ...(isLate({ status, dueDate: due_date }, today) ? ['LATE'] : []),
    ...(remake_of === null ? [] : ['REMAKE']),
    ...(rush_tier === 'critical' ? ['CRITICAL RUSH'] : []),
    ...(rush_tier === 'express' ? ['EXPRESS'] : []),
    ...(white_label ? ['WHITE LABEL'] : []),
  ];
}

/** The file name, and the inspection's result at the printed size. */
function artworkFacts(job: PricedJob, artwork: ReadonlyMap<string, InspectedArtwork>): Fact[] {
  if (job.imageUrl === null) return [];
  const upload = artwork.get(job.imageUrl);
  if (upload === undefined) return [['Artwork', 'file name unknown']];
  const name: Fact = ['Artwork', upload.filename];
  const inspection = presentLineInspection(upload.inspection, upload.content_type, job);
  if (inspection === null) return [name];
  const { widthPx, heightPx, effectiveDpi, shapeDifferencePercent, warnings, reason, notes } = inspection;
  const isUndecided = warnings.includes('ARTWORK_SHAPE_DIFFERS') && readArtworkFit(job.selections['artworkFit']) === null;
  const shape = isUndecided ? [`Shape differs by ${shapeDifferencePercent} %: ask the office whether to crop`] : [];
  const dpi = effectiveDpi === null ? '' : `, ${effectiveDpi} dpi at this size`;
  const pixels: Fact[] = widthPx === null || heightPx === null ? [] : [['Pixels', `${widthPx} × ${heightPx}${dpi}`]];
  const checks = [...shape, ...notes, ...(reason === null ? [] : [reason])];
  return [name, ...pixels, ...checks.map((check): Fact => ['Check', check])];
}
