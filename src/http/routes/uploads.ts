import { knownUpload } from '../../artwork/arrivals';
import { openTarget } from '../../artwork/targets';
import type { Prefetch } from '../../db/repositories/admission';
import { inspectionOf } from '../../db/repositories/inspections';
import { uploadOfCaller, type UploadRow } from '../../db/repositories/uploads';
import { presentUpload } from '../../presenters/uploads';
import { newId } from '../../security/ids';
import { artworkKey } from '../../storage';
import type { UploadRequest } from '../schemas/uploads';
import type { Answer, RequestHead, TradeRequest } from '../types';
import { found, identifierIn } from '../path-id';

/** `POST /uploads`: a short-lived signed PUT for exactly these bytes; `url` names the artwork on a quote's line. */
export async function createUpload({ deps, caller, body }: TradeRequest<UploadRequest>): Promise<Answer> {
  const uploadId = newId('upl');
  const key = artworkKey({ accountId: caller.accountId, uploadId, filename: body.filename, contentType: body.contentType });
  const target = await deps.storage.createUploadTarget({ key, contentType: body.contentType, sizeBytes: body.sizeBytes });
  await openTarget(deps, {
    id: uploadId,
    accountId: caller.accountId,
    environment: caller.environment,
    keyId: caller.keyId,
    filename: body.filename,
    contentType: body.contentType,
    sizeBytes: body.sizeBytes,
    storageKey: key,
    url: target.url,
    createdAt: deps.clock.now(),
    expiresAt: target.expiresAt,
  });
  return { data: { uploadUrl: target.uploadUrl, contentType: target.contentType, url: target.url, key: target.key, uploadId } };
}

/** The upload is read together with the admission. */
export function uploadNamed({ params }: RequestHead): Prefetch<UploadRow> | null {
  const id = identifierIn(params, 'upl');
  return id === null ? null : uploadOfCaller(id);
}

/** `GET /uploads/{id}`: whether the bytes are there and what they are, of an upload of either environment (rulings 24, 59 and 60). */
export async function getUpload(request: TradeRequest<unknown, UploadRow>): Promise<Answer> {
  const [upload] = request.prefetched ?? [];
  const known = await knownUpload(request.deps, found(request, 'upl', upload));
  const seen = known.received_at === null ? null : await inspectionOf(request.deps.database, known.id, known.checksum);
  return { data: presentUpload(known, seen) };
}
