import { checkUpload } from '../../artwork/arrivals';
import { findInspection, lockUploadToInspect, requestInspection } from '../../db/repositories/inspections';
import { findUpload } from '../../db/repositories/uploads';
import { ApiError } from '../../domain/errors';
import { formatLine } from '../../domain/line-quantities';
import { presentStudioOrder } from '../../presenters/studio-orders';
import { afterChange, storeUnanswered } from '../overload';
import { pathLine } from '../path-id';
import type { HandlerResponse } from '../types';
import { audited } from './support/audited';
import { STUDIO_ORDER } from './support/order-resources';
import { loadOrderView, loadStudioOrder } from './support/order-view';
import type { StudioEndpointRow, StudioRequest } from './support/types';

export const INSPECTIONS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/orders/:id/lines/:n/inspect',
    role: 'office',
    id: 'inspectLine',
    summary: 'Inspect the artwork of a line again',
    description:
      'The inspector opens the file again, some seconds later. Until then the earlier result stays, with `decoderVersion` 0. The new result applies to every order with this artwork. Repeating the request before that changes nothing. Without a file the response is 404 with the reason.',
    response: STUDIO_ORDER,
    errorCodes: ['SERVICE_UNAVAILABLE'],
    handler: postInspection,
  },
];

async function postInspection(request: StudioRequest): Promise<HandlerResponse> {
  const { deps, params } = request;
  const order = await loadStudioOrder(deps.database, request);
  const line = pathLine(params['n'], order.jobs.length);
  const url = order.jobs[line]?.imageUrl ?? null;
  const upload = url === null ? null : await findUpload(deps.database, order.account_id, { url });
  if (upload === null) throw new ApiError('NOT_FOUND', `${formatLine(line)} has no artwork.`);
  const { received, checksum } = await checkUpload(deps, upload);
  if (received === null) throw storeUnanswered();
  const isMissing = !received || (await deps.storage.stat(upload.storage_key, checksum).catch(() => undefined)) === null;
  if (isMissing) throw new ApiError('NOT_FOUND', `The artwork of ${formatLine(line)} is not in the store. It is inspected on arrival.`);
  await audited(request, async (sql, record) => {
    const locked = await lockUploadToInspect(sql, upload.id);
    const earlier = await findInspection(sql, upload.id, locked?.checksum ?? null);
    if (!(await requestInspection(sql, upload.id))) return;
    const before = earlier && { state: earlier.state, reason: earlier.reason, decoderVersion: earlier.decoder_version };
    await record({ action: 'artwork.inspect', subject: order.id, before, after: { line, uploadId: upload.id } });
  });
  return { data: presentStudioOrder(await afterChange(() => loadOrderView(request))) };
}
