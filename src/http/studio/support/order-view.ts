import { orderWorkflowId } from '../../../../workflows/messages';
import type { Sql } from '../../../db/database';
import { findMaterialsOfOrder } from '../../../db/repositories/invoice-documents';
import { toOrderFacts } from '../../../db/repositories/orders';
import { methodNameOf } from '../../../db/repositories/price-book-reader';
import {
  findStudioOrder,
  findStudioRecords,
  isOrder,
  toRemakeFacts,
  type InspectedArtwork,
  type StudioJobRow,
  type StudioRecords,
} from '../../../db/repositories/studio-orders';
import { findSendsOfOrder } from '../../../db/repositories/sends';
import { uncorrectedMilestonesIn } from '../../../db/repositories/timeline';
import { factsOf, findMissingMaterials } from '../../../documents/line-facts';
import { floorUndoIssue, undoDeadlineMs, type RecordedMilestone } from '../../../domain/correction';
import type { IdOrNumber } from '../../../domain/order-number';
import { type OrderForActions, correctableMilestones, orderActions } from '../../../domain/order-actions';
import type { JobArtwork, StudioOrderView } from '../../../presenters/studio-orders';
import { requireFound, pathId } from '../../path-id';
import { bookInForce, studioToday } from './book-in-force';
import { hasFrame } from '../../../domain/stages';
import type { StudioRequest } from './types';
import { workflowUrl } from './workflow-url';

/** @throws ApiError NOT_FOUND, also for a malformed id */
export async function loadStudioOrder(sql: Sql, request: StudioRequest): Promise<StudioJobRow> {
  return requireFound(request, 'ord', await findStudioOrder(sql, pathId(request, 'ord')));
}

/** The complete order, by default the one in the path, from one snapshot. @throws ApiError NOT_FOUND */
export async function loadOrderView(request: StudioRequest, by: IdOrNumber = { id: pathId(request, 'ord') }): Promise<StudioOrderView> {
  const [records, materials, sends] = await request.deps.database.snapshot((sql) =>
    Promise.all([
      findStudioRecords(sql, by),
      findMaterialsOfOrder(sql, by),
      findSendsOfOrder(sql, isOrder(by), Object.values(by)[0] ?? ''),
    ]),
  );
  const { uploads, ...rest } = requireFound(request, 'ord', records);
  const artwork = await Promise.all(uploads.map(async (upload) => [upload.url, await loadJobArtwork(request, upload)] as const));
  const uncorrected = uncorrectedMilestonesIn(rest.timeline);
  const facts = toOrderForActions(rest, uncorrected);
  const today = await studioToday(request);
  const correctableIds = correctableMilestones(facts);
  return {
    ...rest,
    sends,
    actions: orderActions(facts),
    correctableIds,
    undoable: findUndoable(request, uncorrected, correctableIds),
    artwork: new Map(artwork),
    selectionTexts: rest.order.jobs.map(({ selections, cuts }) => factsOf(selections, materials.nameOf, cuts)),
    shippingMethodName: methodNameOf(await bookInForce(request), rest.order),
    missingMaterials: findMissingMaterials(rest.order, materials, today),
    today,
    workflowUrl: workflowUrl(request, orderWorkflowId(rest.order.id)),
  };
}

/** The last milestone, if the caller's token may undo it even with role floor, and until when. */
function findUndoable(
  { deps, caller }: StudioRequest,
  uncorrected: readonly RecordedMilestone[],
  correctableIds: ReadonlySet<string>,
): StudioOrderView['undoable'] {
  const last = uncorrected.at(-1);
  if (last === undefined || !correctableIds.has(last.milestoneId)) return null;
  const { milestoneId } = last;
  const issue = floorUndoIssue(uncorrected, { milestoneId, tokenId: caller.tokenId, badgeId: caller.badgeId, now: deps.clock.now() });
  return issue === null ? { milestoneId, until: new Date(undoDeadlineMs(last)) } : null;
}

/** The order as the rules for its possible actions need it. */
function toOrderForActions(
  { order, timeline, parcels, payments, notes }: Omit<StudioRecords, 'uploads'>,
  uncorrected: readonly RecordedMilestone[],
): OrderForActions {
  return {
    facts: toOrderFacts({ ...order, line_count: order.lines.length }, parcels, payments, notes),
    uncorrected,
    appliedTypes: timeline.filter(({ outcome }) => outcome === 'applied').map(({ type }) => type),
    frames: order.jobs.map(hasFrame),
    remake: toRemakeFacts(order),
  };
}

/** If the store does not answer, `hasArrived` is null, and the order can still be read. */
async function loadJobArtwork({ deps, logger }: StudioRequest, upload: InspectedArtwork): Promise<JobArtwork> {
  const { arrivals } = deps.storage;
  const received = await deps.storage.stat(upload.storage_key, upload.checksum).then(
    // The link is to the file that the row names, which only a polled store may have replaced.
    (stat) => stat !== null && (arrivals === 'polled' || stat.checksum === upload.checksum),
    (error: unknown) => {
      logger.warn({ err: error, key: upload.storage_key }, 'the artwork store did not answer');
      return null;
    },
  );
  const readUrl = await deps.storage.signedReadUrl(upload.storage_key, upload.checksum);
  return {
    uploadId: upload.id,
    readUrl,
    filename: upload.filename,
    contentType: upload.content_type,
    hasArrived: received,
    inspection: upload.inspection,
  };
}
