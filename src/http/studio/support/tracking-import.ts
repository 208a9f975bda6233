import { ITEM_CODES } from '../milestone-batches';
import { findOrdersWithParcels, type OrderWithParcels } from '../../../db/repositories/packed-orders';
import { readSetting } from '../../../db/repositories/settings';
import { type ApiError, type ErrorCode, validationError } from '../../../domain/errors';
import type { LineQuantity } from '../../../domain/line-quantities';
import { localDate, timeAt } from '../../../domain/pricing/ready-date';
import {
  comparable,
  findColumns,
  type LocalClock,
  type PlannedParcel,
  planRow,
  readTrackingRow,
  type RowPlan,
  type TrackedOrder,
  TRACKING_FILE_LIMITS,
  type TrackingRow,
  type WrongRow,
} from '../../../domain/tracking-file';
import { mapLimited } from '../../../runtime/map-limited';
import { sha256 } from '../../../security/fingerprint';
import { TemporalUnavailable } from '../../../temporal/breaker';
import { toRefusal } from '../../refusal';
import { chargeBatch } from './batches';
import { studioTimeZone } from './book-in-force';
import { readCsvFile } from './csv-file';
import { recordDelivery } from './deliveries';
import { sendStudioMessage } from './order-messages';
import type { StudioRequest } from './types';

export const ROW_OUTCOMES = ['added', 'delivered', 'unchanged', 'refused', 'failed'] as const;
type Outcome = (typeof ROW_OUTCOMES)[number];

export const ROW_CODES: readonly ErrorCode[] = ['VALIDATION_ERROR', ...ITEM_CODES];

export interface ImportedRow {
  row: number;
  orderNumber: string;
  trackingNumber: string;
  carrier: string | null;
  deliveredAt: string | null;
  outcome: Outcome;
  error?: { code: ErrorCode; message: string };
}

export type TrackingImport = { dryRun: boolean; rows: ImportedRow[] } & Record<Outcome, number>;

/** An order with the pieces of its lines, and with the parcels that earlier rows of the file add. */
interface FileOrder extends TrackedOrder {
  lines: { quantity: number }[];
  /** The tracking numbers of the file, also those of wrong rows. */
  numbers: Set<string>;
}

interface PlannedRow {
  row: number;
  content: TrackingRow;
  order: FileOrder | null;
  plan: RowPlan;
}

const ORDERS_AT_ONCE = 8;
/** Later rows are not sent, so the response comes before proxies give up. */
const SENDING_TIME_MS = 15_000;

/**
 * Reads a file and, unless it is a dry run, records its rows. A dry run and the import plan in the same way.
 * @throws ApiError VALIDATION_ERROR for a file that cannot be read
 */
export async function importTrackingFile(request: StudioRequest, bytes: Uint8Array, dryRun: boolean): Promise<TrackingImport> {
  const { deps } = request;
  const timeZone = await studioTimeZone(request);
  const clock: LocalClock = {
    now: deps.clock.now(),
    dayOf: (at) => localDate(timeZone, at),
    timeAt: (day, time) => timeAt(timeZone, day, time),
  };
  const [{ trackingColumns }, carriers] = await deps.database.snapshot((sql) =>
    Promise.all([readSetting(sql, 'labelProgram'), readSetting(sql, 'carriers')]),
  );
  const read = readCsvFile(bytes, (headings) => findColumns(headings, trackingColumns));
  if (read === null)
    throw fileError(
      `must have the headings ${trackingColumns.orderNumber} and ${trackingColumns.trackingNumber} of the settings in its first row`,
    );
  if ('issue' in read) throw fileError(read.issue);
  if (read.rows.length > TRACKING_FILE_LIMITS.rows)
    throw fileError(`must have at most ${TRACKING_FILE_LIMITS.rows} rows; it has ${read.rows.length}`);
  const rows = read.rows.map(({ row, cells }) => ({ row, content: readTrackingRow(cells, read.headings, carriers, clock) }));
  const orders = await loadOrders(
    request,
    rows.map(({ content }) => content),
  );
  const results = new Map<number, ImportedRow>();
  const planned: PlannedRow[] = [];
  for (const { row, content } of rows) {
    if ('issue' in content) {
      const { orderNumber, trackingNumber, issue } = content;
      results.set(row, { row, orderNumber, trackingNumber, carrier: null, deliveredAt: null, ...refusal('VALIDATION_ERROR', issue) });
      continue;
    }
    const order = orders.get(content.orderNumber) ?? null;
    const plan = planRow(content, order, clock, parcelIdOf(content.trackingNumber));
    if (order !== null) remember(order, plan, clock);
    planned.push({ row, content, order, plan });
  }
  const done = dryRun ? planned.map(presentPlan) : await applyRows(request, planned);
  for (const result of done) results.set(result.row, result);
  const sorted = [...results.values()].toSorted((one, other) => one.row - other.row);
  const count = (outcome: Outcome): number => sorted.filter((each) => each.outcome === outcome).length;
  const counts = Object.fromEntries(ROW_OUTCOMES.map((outcome) => [outcome, count(outcome)])) as Record<Outcome, number>;
  return { dryRun, ...counts, rows: sorted };
}

const fileError = (message: string): ApiError => validationError([{ path: 'file', message }]);

/**
 * The same number has the same id, so a repeated file adds no second parcel. An erasure keeps the id, which therefore does not contain the
 * number.
 */
const parcelIdOf = (trackingNumber: string): string => `file-${sha256(comparable(trackingNumber)).slice(0, 20)}`;

const refusal = (code: ErrorCode, message: string) => ({ outcome: 'refused', error: { code, message } }) as const;

async function loadOrders({ deps }: StudioRequest, rows: readonly (TrackingRow | WrongRow)[]): Promise<Map<string, FileOrder>> {
  const orders = await findOrdersWithParcels(deps.database, [...new Set(rows.map(({ orderNumber }) => orderNumber))]);
  return new Map(
    orders.map((order) => {
      const numbers = rows.filter(({ orderNumber }) => orderNumber === order.order_number).map(({ trackingNumber }) => trackingNumber);
      return [order.order_number, toFileOrder(order, numbers)];
    }),
  );
}

const toFileOrder = (order: OrderWithParcels, numbers: readonly string[]): FileOrder => ({
  id: order.id,
  status: order.status,
  baseStatus: order.base_status,
  isErased: order.erased_at !== null,
  placedAt: order.created_at,
  lines: order.lines,
  numbers: new Set(numbers.map(comparable)),
  parcels: order.all_parcels.map((parcel) => ({
    id: parcel.id,
    trackingNumber: parcel.tracking_number,
    shippedAt: parcel.shipped_at,
    deliveredAt: parcel.delivered_at,
    isVoided: parcel.voided_at !== null,
  })),
});

/** Adds what a row does to its order, for the rows below. */
function remember(order: FileOrder, plan: RowPlan, { now }: LocalClock): void {
  if (plan.outcome === 'added') {
    const { parcel, deliveredAt } = plan;
    order.parcels = [...order.parcels, { ...parcel, shippedAt: parcel.shippedAt ?? now, deliveredAt, isVoided: false }];
  } else if (plan.outcome === 'delivered')
    order.parcels = order.parcels.map((parcel) => (parcel.id === plan.parcelId ? { ...parcel, deliveredAt: plan.deliveredAt } : parcel));
}

function presentPlan({ row, content, order, plan }: PlannedRow): ImportedRow {
  const { orderNumber, trackingNumber, carrier } = content;
  const deliveredAt = 'deliveredAt' in plan ? (plan.deliveredAt?.toISOString() ?? null) : null;
  const outcome =
    plan.outcome === 'refused'
      ? refusal(order === null ? 'NOT_FOUND' : 'MILESTONE_REFUSED', plan.issue)
      : ({ outcome: plan.outcome } as const);
  return { row, orderNumber, trackingNumber, carrier, deliveredAt, ...outcome };
}

/** Records the rows: those of one order in their order, several orders at once. */
async function applyRows(request: StudioRequest, planned: readonly PlannedRow[]): Promise<ImportedRow[]> {
  const byOrder = new Map<string, PlannedRow[]>();
  for (const row of planned) {
    const key = row.order?.id ?? '';
    byOrder.set(key, [...(byOrder.get(key) ?? []), row]);
  }
  await chargeBatch(request, 'POST /tracking-files', byOrder.size);
  const deadlineMs = performance.now() + SENDING_TIME_MS;
  const results = await mapLimited([...byOrder.values()], ORDERS_AT_ONCE, async (rows) => {
    const done: ImportedRow[] = [];
    // Later rows of a number were planned on the success of its first row.
    const unrecorded = new Map<string, Pick<ImportedRow, 'outcome' | 'error'>>();
    for (const row of rows) {
      const number = comparable(row.content.trackingNumber);
      const earlier = unrecorded.get(number);
      const result = earlier === undefined ? await applyRow(request, row, deadlineMs) : { ...presentPlan(row), ...earlier };
      const { outcome, error } = result;
      if (row.plan.outcome !== 'refused' && error !== undefined) unrecorded.set(number, { outcome, error });
      done.push(result);
    }
    return done;
  });
  return results.flat();
}

async function applyRow(request: StudioRequest, planned: PlannedRow, deadlineMs: number): Promise<ImportedRow> {
  const shown = presentPlan(planned);
  const { order, plan } = planned;
  if (order === null || plan.outcome === 'refused' || plan.outcome === 'unchanged') return shown;
  try {
    if (performance.now() > deadlineMs) throw new TemporalUnavailable();
    if (plan.outcome === 'added') await addParcel(request, planned.content, order, plan.parcel);
    const parcelId = plan.outcome === 'added' ? plan.parcel.id : plan.parcelId;
    const { deliveredAt } = plan;
    if (deliveredAt !== null) await recordDelivery(request, { orderId: order.id, parcelId, deliveredAt });
    return shown;
  } catch (error) {
    const { code, message, status } = toRefusal(error, request);
    return { ...shown, outcome: status >= 500 ? 'failed' : 'refused', error: { code, message } };
  }
}

async function addParcel(request: StudioRequest, content: TrackingRow, order: FileOrder, { id, shippedAt }: PlannedParcel): Promise<void> {
  const { trackingNumber, carrier, trackingUrl } = content;
  await sendStudioMessage(request, order.id, {
    type: 'parcel_added',
    parcelId: id,
    trackingNumber,
    carrier,
    trackingUrl,
    shippedAt: shippedAt?.toISOString() ?? null,
    lines: contentsOf(order),
  });
}

/** All pieces if the order has one parcel; null, which means unknown, if it has several. */
function contentsOf({ lines, numbers, parcels }: FileOrder): LineQuantity[] | null {
  const live = parcels.filter(({ isVoided }) => !isVoided).length;
  return numbers.size === 1 && live === 1 ? lines.map(({ quantity }, line) => ({ line, quantity })) : null;
}
