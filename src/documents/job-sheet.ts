import type { InspectedArtwork, StudioRecords } from '../db/repositories/studio-orders';
import { isLate, type BaseStatus } from '../domain/order-status';
import type { PricedJob } from '../domain/pricing/priced-quote';
import { presentLineInspection } from '../presenters/uploads';
import { type Fact, factsOf, lineNumber, type NameLookup } from './line-facts';
import type { Draft } from './pdf-renderer';
import { addressRows, formatDayIn, isNonEmpty, formatLongDay, formatMomentIn } from './formatting';

interface JobSheetInput {
  records: Pick<StudioRecords, 'order' | 'uploads'>;
  nameOf: NameLookup;
  /** WebP images by artwork URL. Artwork without a preview has no entry. */
  previews: ReadonlyMap<string, Buffer>;
  /** The delivery method's name; null if the order has none. */
  methodName: string | null;
  timeZone: string;
  printedAt: Date;
  /** The studio's calendar day of `printedAt`, `YYYY-MM-DD`. */
  today: string;
}

/** For the workshop: items, materials, due date and destination (ruling 64). */
export function draftJobSheet({
  records: { order, uploads },
  nameOf,
  previews,
  methodName,
  timeZone,
  printedAt,
  today,
}: JobSheetInput): Draft {
  const pictures = new Map([...previews].map(([url, bytes], at) => [url, { name: `preview-${at}.jpg`, bytes }] as const));
  const artwork = new Map(uploads.map((upload) => [upload.url, upload]));
  const { shipping_address: address } = order;
  return {
    template: 'job-sheet',
    data: {
      title: `Job sheet ${order.order_number}`,
      footer: `${order.order_number} · printed ${formatMomentIn(timeZone, printedAt)}`,
      isTest: order.environment === 'test',
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
        facts: [...factsOf(job.selections, nameOf), ...artworkFacts(job, artwork)],
        picture: job.imageUrl === null ? null : (pictures.get(job.imageUrl)?.name ?? null),
      })),
      shipTo: [...addressRows(address), address.phone, address.email].filter(isNonEmpty),
      shippingMethod: methodName ?? 'not specified',
      sentAs: order.white_label ? `${order.account_name} (white label: no studio branding in the parcel)` : 'the studio',
    },
    barcodes: { number: order.order_number },
    pictures: new Map([...pictures.values()].map(({ name, bytes }) => [name, bytes])),
  };
}

const STATUS_BADGES: Readonly<Record<BaseStatus, readonly string[]>> = {
  received: [],
  in_production: [],
  on_hold: ['ON HOLD'],
  completed: [],
  cancelled: ['CANCELLED'],
};

/** The promised day, or the day by standard turnaround (ruling 65). */
function dueOf({ promised_ready_date: promised, due_date: due }: StudioRecords['order']): Fact {
  if (promised !== null) return ['Promised', formatLongDay(promised)];
  return ['Due', due === null ? 'no date' : formatLongDay(due)];
}

/** Badges for special handling, the most important first. */
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

/** The file name, and the inspection's result at the printed size (ruling 60). */
function artworkFacts(job: PricedJob, artwork: ReadonlyMap<string, InspectedArtwork>): Fact[] {
  if (job.imageUrl === null) return [];
  const upload = artwork.get(job.imageUrl);
  const name: Fact = ['Artwork', upload?.filename ?? 'file name unknown'];
  const inspection = presentLineInspection(upload?.inspection ?? null, job);
  if (inspection === null) return [name];
  const { widthPx, heightPx, effectiveDpi, reason } = inspection;
  const dpi = effectiveDpi === null ? '' : `, ${effectiveDpi} dpi at this size`;
  const pixels: Fact[] = widthPx === null || heightPx === null ? [] : [['Pixels', `${widthPx} × ${heightPx}${dpi}`]];
  return [name, ...pixels, ...(reason === null ? [] : [['Check', reason] as const])];
}
