import type { Sql } from '../../db/database';
import { orderFacts } from '../../db/repositories/orders';
import { findStudioOrder, findStudioRecords, type StudioJobRow, type UploadedArtwork } from '../../db/repositories/studio-orders';
import { ApiError } from '../../domain/errors';
import { isIdentifier } from '../../domain/identifiers';
import type { JobArtwork, StudioOrderView } from '../../presenters/studio-orders';
import { orderWorkflowId } from '../../../workflows/messages';
import type { StudioRequest } from './types';
import { workflowUrl } from './workflow-url';

/** The order that the path names. @throws ApiError NOT_FOUND, also for a malformed id, which can name nothing (ruling 8) */
export async function loadStudioOrder(sql: Sql, { params }: StudioRequest): Promise<StudioJobRow> {
  const id = params.id ?? '';
  const order = isIdentifier('ord', id) ? await findStudioOrder(sql, id) : null;
  if (order === null) throw noOrder();
  return order;
}

/** Everything the studio sees of the order that the path names, as of one moment. @throws ApiError NOT_FOUND */
export async function viewOrder(request: StudioRequest): Promise<StudioOrderView> {
  const id = request.params.id ?? '';
  const records = isIdentifier('ord', id) ? await findStudioRecords(request.deps.database, id) : null;
  if (records === null) throw noOrder();
  const { uploads, ...rest } = records;
  const artwork = await Promise.all(uploads.map(async (upload) => [upload.url, await jobArtwork(request, upload)] as const));
  return {
    ...rest,
    facts: orderFacts(rest.order, rest.parcels, rest.payments),
    artwork: new Map(artwork),
    workflowUrl: workflowUrl(request, orderWorkflowId(id)),
  };
}

function noOrder(): ApiError {
  return new ApiError('NOT_FOUND', 'there is no such order');
}

/** Where the store does not answer, only whether the bytes are there stays unknown: the job can still be read. */
async function jobArtwork({ deps, logger }: StudioRequest, upload: UploadedArtwork): Promise<JobArtwork> {
  const received = await deps.storage.stat(upload.storage_key).then(
    (stat) => stat !== null,
    (error: unknown) => {
      logger.warn({ err: error, key: upload.storage_key }, 'the artwork store did not answer');
      return null;
    },
  );
  const readUrl = await deps.storage.signedReadUrl(upload.storage_key);
  return { readUrl, filename: upload.filename, contentType: upload.content_type, received };
}
