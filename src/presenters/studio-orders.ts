import type { NamedSend } from '../db/repositories/sends';
import type { ListedOrderRow, StudioOrderRow, StudioRecords } from '../db/repositories/studio-orders';
import type { InspectionRow, OrderChangeRow, RemakeOfOrder } from '../db/rows';
import { isLate } from '../domain/order-status';
import type { OrderAction } from '../domain/order-actions';
import { changeKey } from '../domain/order-messages/changed';
import type { OrderChange } from '../domain/pricing/order-change';
import type { MissingMaterial } from '../domain/materials';
import { hasFrame, STAGES, type StageLines } from '../domain/stages';
import { presentOrderEvent } from './events';
import { fieldsOf } from './fields';
import { presentSentEntry } from './sends';
import { presentLineInspection, presentPlacement } from './uploads';
import { presentOrder, presentPieces, presentRemakeShipments } from './orders';
import { presentAttention, presentInvoice, presentParcel, presentPayment, presentTimelineEntry } from './order-records';

export interface StudioOrderView extends Omit<StudioRecords, 'notes' | 'uploads'> {
  actions: OrderAction[];
  /** The mails with its documents. */
  sends: readonly NamedSend[];
  /** `YYYY-MM-DD` on the studio's calendar. */
  today: string;
  /** Ids of the milestones that can be corrected now. */
  correctableIds: ReadonlySet<string>;
  /** The milestone that the caller's token may undo with role floor, and until when. */
  undoable: { milestoneId: string; until: Date } | null;
  /** By artwork URL of the line. */
  artwork: ReadonlyMap<string, JobArtwork>;
  /** The selections of each line, as on the job sheet. */
  selectionTexts: readonly (readonly (readonly [label: string, value: string])[])[];
  /** The materials of each line that are out of stock. */
  missingMaterials: readonly (readonly MissingMaterial[])[];
  /** The name of the shipping method; null without one. */
  shippingMethodName: string | null;
  workflowUrl: string;
}

/** The artwork of a line; `hasArrived` is null if the store did not answer. */
export interface JobArtwork {
  uploadId: string;
  readUrl: string;
  filename: string;
  contentType: string;
  hasArrived: boolean | null;
  inspection: InspectionRow | null;
}

/** A row of the studio's order list, amounts in cents (studio API "Endpoints"). */
export function presentStudioOrderRow(order: ListedOrderRow, today: string) {
  return {
    ...presentOrder(order),
    ...fieldsOf(order, 'account_id', 'account_name', 'recipient_name', 'postcode', 'base_status', 'white_label', 'rush_tier', 'due_date'),
    late: isLate({ status: order.status, dueDate: order.due_date }, today),
    facts: { printed: order.printed, liveParcels: order.parcels.length, paidCents: order.paid_cents },
    stage: order.stage,
    stageLines: presentStageLines(order.stage_lines),
    remakeOf: presentRemakeOf(order),
    remakes: order.remakes.map(presentRemake),
    invoice: order.invoice === null ? null : presentInvoice(order.invoice),
    attention: order.attention.map(presentAttention),
    webhookEndpoints: order.webhookEndpoints,
    hasPreview: order.hasPreview,
  };
}

/** Restores the order of the stages, which jsonb does not keep. */
const presentStageLines = (lines: StageLines): StageLines => fieldsOf(lines, ...STAGES);

/** The original order of a remake; null for other orders. */
function presentRemakeOf({ remake_of: of }: StudioOrderRow) {
  if (of === null) return null;
  return { orderId: of.original_id, ...fieldsOf(of, 'order_number', 'remake_id', 'reason'), lines: of.lines.map(presentPieces) };
}

function presentRemake(remake: RemakeOfOrder) {
  return {
    ...fieldsOf(remake, 'order_id', 'order_number', 'remake_id', 'status', 'reason'),
    lines: remake.lines.map(presentPieces),
    shipments: presentRemakeShipments(remake),
  };
}

export function presentStudioOrder(view: StudioOrderView) {
  return {
    ...presentStudioOrderRow({ ...view, ...view.order }, view.today),
    job: presentJob(view),
    timeline: [...presentTimeline(view), ...view.sends.map(presentSentEntry)].toSorted((one, other) =>
      one.recordedAt.localeCompare(other.recordedAt),
    ),
    parcels: view.parcels.map(presentParcel),
    payments: view.payments.map(presentPayment),
    events: view.events.map(presentOrderEvent),
    actions: view.actions,
    erasedAt: view.order.erased_at?.toISOString() ?? null,
    workflowUrl: view.workflowUrl,
  };
}

const presentTimeline = (view: StudioOrderView) =>
  view.timeline.map((entry) => ({
    ...presentTimelineEntry(entry),
    correctable: entry.outcome === 'applied' && view.correctableIds.has(entry.milestone_id),
    undoableUntil:
      entry.outcome === 'applied' && view.undoable?.milestoneId === entry.milestone_id ? view.undoable.until.toISOString() : null,
    change: presentChange(view.changes.find(({ id }) => entry.milestone_id === changeKey(id))),
    sendState: null,
  }));

/** The values before and after, both with the fields of the request. */
function presentChange(change: OrderChangeRow | undefined): { before: OrderChange; after: OrderChange } | null {
  return change === undefined ? null : { before: change.replaced ?? {}, after: change.content };
}

function presentJob({ order, artwork, selectionTexts, missingMaterials, shippingMethodName }: StudioOrderView) {
  return {
    lines: order.jobs.map((job, index) => {
      const image = job.imageUrl === null ? undefined : artwork.get(job.imageUrl);
      return {
        externalReference: order.lines[index]?.externalReference ?? null,
        productSlug: job.productSlug,
        productName: order.lines[index]?.productName ?? job.productSlug,
        quantity: job.quantity,
        selections: job.selections,
        words: (selectionTexts[index] ?? []).map(([label, value]) => ({ label, value })),
        outOfStock: [...(missingMaterials[index] ?? [])],
        uploadId: image?.uploadId ?? null,
        artworkUrl: image?.readUrl ?? null,
        artworkFilename: image?.filename ?? null,
        artworkContentType: image?.contentType ?? null,
        artworkReceived: image?.hasArrived ?? null,
        hasFrame: hasFrame(job),
        stages: STAGES.filter((stage) => order.stage_lines[stage].includes(index)),
        inspection: image === undefined ? null : presentLineInspection(image.inspection, image.contentType, job),
        placement: image === undefined ? null : presentPlacement(image.inspection, job),
      };
    }),
    remake: order.remake_of === null ? null : `REMAKE of ${order.remake_of.order_number}: ${order.remake_of.reason}`,
    ...fieldsOf(
      order,
      'shipping_address',
      'special_instructions',
      'white_label',
      'rush_tier',
      'promised_ready_date',
      'shipping_method',
      'is_collection',
    ),
    shippingMethodName,
  };
}
