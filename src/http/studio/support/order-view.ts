import { orderWorkflowId } from '../../../../workflows/messages';
import type { Sql } from '../../../db/database';
import { orderFacts } from '../../../db/repositories/orders';
import {
  findStudioOrder,
  findStudioRecords,
  remakeFacts,
  type SeenArtwork,
  type StudioJobRow,
  type StudioRecords,
} from '../../../db/repositories/studio-orders';
import { standingIn } from '../../../db/repositories/timeline';
import { factsOf } from '../../../documents/making';
import { type ActionFacts, correctableMilestones, orderActions } from '../../../domain/order-actions';
import type { JobArtwork, StudioOrderView } from '../../../presenters/studio-orders';
import { methodOf, namesIn } from '../../order-names';
import { found, pathId } from '../../path-id';
import type { StudioRequest } from './types';
import { workflowUrl } from './workflow-url';

/** The order that the path names. @throws ApiError NOT_FOUND, also for a malformed id, which can name nothing (ruling 8) */
export async function loadStudioOrder(sql: Sql, request: StudioRequest): Promise<StudioJobRow> {
  return found(request, 'ord', await findStudioOrder(sql, pathId(request, 'ord')));
}

/** Everything the studio sees of the order that the path names, as of one moment. @throws ApiError NOT_FOUND */
export async function viewOrder(request: StudioRequest): Promise<StudioOrderView> {
  return viewOrderOf(request, pathId(request, 'ord'));
}

/** The same of an order that is known by its id. @throws ApiError NOT_FOUND */
export async function viewOrderOf(request: StudioRequest, id: string): Promise<StudioOrderView> {
  const { uploads, ...rest } = found(request, 'ord', await findStudioRecords(request.deps.database, id));
  const artwork = await Promise.all(uploads.map(async (upload) => [upload.url, await jobArtwork(request, upload)] as const));
  const nameOf = await namesIn(request, rest.order);
  const facts = actionFacts(rest);
  return {
    ...rest,
    actions: orderActions(facts),
    correctable: correctableMilestones(facts),
    artwork: new Map(artwork),
    words: rest.order.jobs.map(({ selections }) => factsOf(selections, nameOf)),
    shippingMethodName: await methodOf(request, rest.order),
    today: await studioDay(request),
    workflowUrl: workflowUrl(request, orderWorkflowId(id)),
  };
}

/** The day that it is where the studio is, `YYYY-MM-DD`: by it orders are late (ruling 65). */
export const studioDay = ({ deps }: StudioRequest): Promise<string> => deps.pricingTerms.today(deps.database, deps.clock.now());

/** What the rules are asked with that judge what is sent. */
function actionFacts({ order, timeline, parcels, payments, notes }: Omit<StudioRecords, 'uploads'>): ActionFacts {
  return {
    facts: orderFacts(order, parcels, payments, notes),
    standing: standingIn(timeline),
    applied: timeline.filter(({ outcome }) => outcome === 'applied').map(({ type }) => type),
    remake: remakeFacts(order),
  };
}

/** Where the store does not answer, only whether the bytes are there stays unknown: the job can still be read. */
async function jobArtwork({ deps, logger }: StudioRequest, upload: SeenArtwork): Promise<JobArtwork> {
  const received = await deps.storage.stat(upload.storage_key).then(
    (stat) => stat !== null,
    (error: unknown) => {
      logger.warn({ err: error, key: upload.storage_key }, 'the artwork store did not answer');
      return null;
    },
  );
  const readUrl = await deps.storage.signedReadUrl(upload.storage_key);
  return { readUrl, filename: upload.filename, contentType: upload.content_type, received, inspection: upload.inspection };
}
