import type { MessageField } from '../../domain/order-messages/fields';
import { ARTWORK_FITS, type ArtworkFit } from '../../domain/artwork-fit';
import { FIT_FIELDS } from '../../domain/order-messages/artwork-fitted';
import { pathLine } from '../path-id';
import { type BodyOf, bodySchema, oneOfField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { messageFields } from './support/fields';
import { sendOrderMessage } from './support/order-messages';
import { STUDIO_ORDER } from './support/order-resources';
import { loadStudioOrder } from './support/order-view';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const { uploadId, ...fitFields } = messageFields<{ fitId: string; uploadId?: string | null }>({
  fitId: FIT_FIELDS.fitId,
  uploadId: FIT_FIELDS.uploadId as MessageField,
});
const fitRequest = bodySchema({
  ...fitFields,
  uploadId: uploadId.description(
    'the `uploadId` of the line whose picture you saw; if the artwork was replaced since, the choice is refused',
  ),
  fit: oneOfField<ArtworkFit>(ARTWORK_FITS).description('`fill` crops the picture to the size, centered; `fit` leaves white margins'),
});

export const ARTWORK_FIT_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/orders/:id/lines/:n/fit',
    role: 'office',
    body: fitRequest,
    id: 'chooseArtworkFit',
    summary: 'Choose how the picture of a line fits its size',
    description:
      'For a picture whose shape differs from the print, until the order is printed. The job sheet shows the choice, and the attention ARTWORK_SHAPE_DIFFERS ends. The price stays. Repeating the request with the same `fitId` is safe.',
    response: STUDIO_ORDER,
    errorCodes: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED', 'SERVICE_UNAVAILABLE'],
    requestExample: { fitId: 'desk-1/1041', fit: 'fill' },
    handler: postFit,
  },
];

async function postFit(request: StudioRequest<BodyOf<typeof fitRequest>>): Promise<HandlerResponse> {
  const { jobs } = await loadStudioOrder(request.deps.database, request);
  const line = pathLine(request.params['n'], jobs.length);
  return sendOrderMessage(request, { ...request.body, type: 'artwork_fitted', line });
}
