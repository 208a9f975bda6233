import { openTarget } from '../../artwork/targets';
import { newId } from '../../security/ids';
import { artworkKey } from '../../storage';
import type { UploadRequest } from '../schemas/uploads';
import type { Answer, TradeRequest } from '../types';

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
  return { data: { uploadUrl: target.uploadUrl, contentType: target.contentType, url: target.url, key: target.key } };
}
