import type { Sql } from '../../db/data-source';
import { loadFacts } from '../../db/repositories/orders';
import { artworkOf, findStudioOrder, invoiceOf, parcelsOf, paymentsOf, type StudioJobRow, type UploadedArtwork } from '../../db/repositories/studio-orders';
import { orderTimeline } from '../../db/repositories/timeline';
import { ApiError } from '../../domain/errors';
import { isIdentifier } from '../../domain/identifiers';
import type { JobArtwork, StudioOrderView } from '../../presenters/studio-orders';
import { orderWorkflowId } from '../../temporal';
import type { StudioRequest } from './types';
import { workflowUrl } from './workflow-url';

/** The order that the path names. @throws ApiError NOT_FOUND, for a malformed id too (ruling 8). */
export async function loadStudioOrder(sql: Sql, { params }: StudioRequest): Promise<StudioJobRow> {
  const id = params.id ?? '';
  const order = isIdentifier('ord', id) ? await findStudioOrder(sql, id) : null;
  if (order === null) throw new ApiError('NOT_FOUND', 'there is no such order');
  return order;
}

/** Everything the studio sees of the order that the path names, as of one moment. */
export async function viewOrder(request: StudioRequest): Promise<StudioOrderView> {
  const { uploads, ...rest } = await request.deps.dataSource.transaction('REPEATABLE READ', async (sql) => {
    const order = await loadStudioOrder(sql, request);
    return {
      order,
      facts: await loadFacts(sql, order),
      timeline: await orderTimeline(sql, order.id),
      parcels: await parcelsOf(sql, order.id),
      payments: await paymentsOf(sql, order.id),
      invoice: await invoiceOf(sql, order.id),
      uploads: await artworkOf(sql, order.account_id, order.jobs.flatMap(({ imageUrl }) => imageUrl ?? [])),
    };
  });
  const artwork = await Promise.all(uploads.map(async (upload) => [upload.url, await jobArtwork(request, upload)] as const));
  return { ...rest, artwork: new Map(artwork), workflowUrl: workflowUrl(request, orderWorkflowId(rest.order.id)) };
}

/** A store that does not answer hides only whether the bytes are there: the job can still be read. */
async function jobArtwork({ deps, logger }: StudioRequest, upload: UploadedArtwork): Promise<JobArtwork> {
  const received = await deps.storage.stat(upload.storage_key).then((stat) => stat !== null, (error: unknown) => {
    logger.warn({ err: error, key: upload.storage_key }, 'the artwork store did not answer');
    return null;
  });
  const readUrl = await deps.storage.signedReadUrl(upload.storage_key);
  return { readUrl, filename: upload.filename, contentType: upload.content_type, received };
}
