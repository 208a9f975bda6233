import { findArtworkUrls } from '../../../db/repositories/order-artwork';
import { findUpload } from '../../../db/repositories/uploads';
import { ApiError } from '../../../domain/errors';
import { LIMITS } from '../../../domain/limits';
import { formatLine } from '../../../domain/line-quantities';
import { sendMessage } from '../../../orders/send-message';
import { presentOrder } from '../../../presenters/orders';
import { newId } from '../../../security/ids';
import { BASKET_EXAMPLE, ORDER_EXAMPLE } from '../../openapi/examples';
import { ORDER } from '../../openapi/resources';
import { afterChange } from '../../overload';
import { pathLine } from '../../path-id';
import { type BodyOf, bodySchema, urlField } from '../../schemas/text';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../../types';
import { loadOrder, reloadOrder } from './orders';

export const artworkRequest = bodySchema({ imageUrl: urlField().description('the `url` of an upload of the account') });

export const ORDER_ARTWORK_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'POST',
    path: '/orders/:id/lines/:line/artwork',
    scope: 'orders:write',
    queue: 'messages',
    perMinute: 30,
    body: artworkRequest,
    bodyBytes: LIMITS.uploadBodyBytes,
    id: 'replaceArtwork',
    summary: 'Replace the artwork of a line',
    description:
      'Artwork can be replaced until the order is printed. The issues of the old artwork end, and the price stays. Repeating the request is safe: if the line already has the artwork, the response is 200.',
    response: ORDER,
    errorCodes: ['ARTWORK_NOT_ALLOWED', 'ORDER_NOT_CHANGEABLE', 'SERVICE_UNAVAILABLE'],
    requestExample: { imageUrl: BASKET_EXAMPLE.items[0]?.imageUrl },
    example: ORDER_EXAMPLE,
    handler: replaceArtwork,
  },
];

/** The workflow applies it in order with messages from the floor. */
async function replaceArtwork(request: TradeRequest<BodyOf<typeof artworkRequest>>): Promise<HandlerResponse> {
  const { deps, caller, params, body, requestId } = request;
  const order = await loadOrder(request);
  const line = pathLine(params['line'], order.lines.length);
  const upload = await findUpload(deps.database, caller.accountId, { url: body.imageUrl });
  if (upload === null) {
    const message = `${formatLine(line)}: imageUrl is not an upload of this account; send the url of POST /uploads`;
    throw new ApiError('ARTWORK_NOT_ALLOWED', message, { line, path: 'imageUrl' });
  }
  if ((await findArtworkUrls(deps.database, order.id))[line] === body.imageUrl) {
    const issue = order.issues.find((open) => open.line === line && open.code !== 'ARTWORK_MISSING');
    if (issue === undefined) return { data: presentOrder(order) };
    throw new ApiError('ORDER_NOT_CHANGEABLE', `this artwork has the issue ${issue.code}; send other artwork as a new upload`);
  }
  const replacement = { type: 'artwork_replaced' as const, replacementId: newId('upd'), line, uploadId: upload.id };
  await sendMessage(deps, { orderId: order.id, message: replacement, sender: { credentialId: caller.keyId, badgeId: null, requestId } });
  return { data: presentOrder(await afterChange(() => reloadOrder(request, order))) };
}
