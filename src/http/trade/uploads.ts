import { checkUpload } from '../../artwork/arrivals';
import { firstCheckAt } from '../../artwork/order-artwork';
import { artworkInUse, openTarget } from '../../artwork/targets';
import { findInspection } from '../../db/repositories/inspections';
import { scheduleUploadChecks } from '../../db/repositories/order-artwork';
import { findUpload } from '../../db/repositories/uploads';
import { LIMITS, UPLOAD_CONTENT_TYPES } from '../../domain/limits';
import type { PresentedInspection } from '../../presenters/uploads';
import { type PresentedUpload, presentUpload } from '../../presenters/uploads';
import { newId } from '../../security/ids';
import { artworkKey } from '../../storage';
import { BASKET_EXAMPLE, INSPECTION_EXAMPLE } from '../openapi/examples';
import * as json from '../openapi/json';
import { INSPECTION_FIELDS } from '../openapi/resources';
import { storeUnanswered } from '../overload';
import { requireFound, pathId } from '../path-id';
import { type BodyOf, bodySchema, integerField, oneOfField, textField } from '../schemas/text';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../types';

export const uploadRequest = bodySchema({
  filename: textField(1, 1024).description("the file name, for its extension and the studio's records"),
  contentType: oneOfField(UPLOAD_CONTENT_TYPES).description('the media type; send the same value as `Content-Type` with the PUT'),
  sizeBytes: integerField(1, LIMITS.uploadBytes).description('the exact length in bytes'),
});

const UPLOAD_ID = 'upl_6b1d0f52c9e84a37';
const ARTWORK_URL = BASKET_EXAMPLE.items[0]?.imageUrl ?? '';

const UPLOAD_TARGET = json.resource<{ uploadUrl: string; contentType: string; url: string; key: string; uploadId: string }>(
  'UploadTarget',
  {
    uploadUrl: [
      json.uri(
        'the URL for the PUT, with `contentType` as `Content-Type` and exactly `sizeBytes` bytes. It is valid for 15 minutes, plus one minute for every 10 MB.',
      ),
      'https://files.example/artwork/acc_0f3a/upl_6b1d0f52c9e84a37.jpg?expires=1772413323&size=48211&signature=9f',
    ],
    contentType: [json.openEnum(UPLOAD_CONTENT_TYPES, 'the `Content-Type` for the PUT'), 'image/jpeg'],
    url: [json.uri('the `imageUrl` for a line of a quote; opaque, send it unchanged'), ARTWORK_URL],
    key: [json.string('the name of the object in the store; orders do not need it'), 'acc_0f3a/upl_6b1d0f52c9e84a37.jpg'],
    uploadId: [json.id('upl', 'the id for `GET /uploads/{id}`, which shows whether the bytes arrived'), UPLOAD_ID],
  },
);

const INSPECTION = json.resource<PresentedInspection>('Inspection', INSPECTION_FIELDS);

const UPLOAD = json.resource<PresentedUpload>('Upload', {
  uploadId: [json.id('upl', 'the upload'), UPLOAD_ID],
  filename: [json.string('as declared'), 'dunes.jpg'],
  contentType: [json.openEnum(UPLOAD_CONTENT_TYPES, 'as declared'), 'image/jpeg'],
  sizeBytes: [json.integer('the declared length; the store accepts exactly this many bytes'), 48_211],
  url: [json.uri('the `imageUrl` for a line of a quote'), ARTWORK_URL],
  received: [json.nullable(json.boolean('whether the bytes arrived; null if the store did not answer: repeat the request')), true],
  receivedAt: [
    json.nullable(
      json.time('the time when the last byte arrived; with an S3-compatible store, the time when the service first found the bytes'),
    ),
    '2026-03-02T01:01:30.500Z',
  ],
  checksum: [
    json.nullable(
      json.string('`sha256:` and the hash in hex, or `etag:` and the ETag of an S3-compatible store', { pattern: '^(sha256|etag):' }),
    ),
    `sha256:${'0f'.repeat(32)}`,
  ],
  inspection: [
    json.nullable({
      ...INSPECTION,
      description: 'the result of the inspection; null until some seconds after the bytes arrived',
    }),
    INSPECTION_EXAMPLE,
  ],
  inspectionOverdue: [
    json.boolean('whether the inspection has been due for more than ten minutes; the studio is informed, and you can order meanwhile'),
    false,
  ],
  createdAt: [json.time('the time of the request for the upload'), '2026-03-02T01:01:00.000Z'],
  expiresAt: [json.time('the expiry of `uploadUrl`'), '2026-03-02T01:16:00.000Z'],
});

export const UPLOADS_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'POST',
    path: '/uploads',
    scope: 'orders:write',
    perMinute: 60,
    status: 201,
    body: uploadRequest,
    bodyBytes: LIMITS.uploadBodyBytes,
    id: 'createUpload',
    summary: 'Create an upload',
    description:
      `Returns a signed URL for one artwork file. An account may have ${LIMITS.openTargetsPerAccount} uploads whose bytes have not arrived, and artwork up to its storage quota.\n\n` +
      'Then `PUT` the file to the exact `uploadUrl`, including its query. Send `contentType` as `Content-Type` and a `Content-Length` of exactly `sizeBytes`. Do not send it chunked. The URL grants the access, so send no `Authorization`. Any 2xx means that the bytes are stored. Then send `url` as the `imageUrl` of a line.\n\nThe embedded artwork store responds with JSON, `{ data, error }`:\n\n- 200 with `{ sizeBytes, contentType }`\n- 403 `FORBIDDEN` for an altered URL and `UPLOAD_EXPIRED` for an expired one\n- 400 `VALIDATION_ERROR` for another length, and for a body that takes longer than two hours\n- 412 `ARTWORK_IN_USE` if an order uses other bytes of this upload\n- 429 `RATE_LIMITED` and 507 `STORAGE_FULL`, both with `Retry-After`\n\nAn S3-compatible store answers in its XML format.',
    errorCodes: ['STORAGE_QUOTA_EXCEEDED', 'UPLOAD_LIMIT'],
    response: UPLOAD_TARGET,
    requestExample: { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes: 48_211 },
    links: {
      readIt: {
        operationId: 'getUpload',
        parameters: { id: '$response.body#/data/uploadId' },
        description: 'Shows whether the bytes arrived.',
      },
      quoteIt: {
        operationId: 'createQuote',
        requestBody: {
          ...BASKET_EXAMPLE,
          items: BASKET_EXAMPLE.items.map((item) => ({ ...item, imageUrl: '$response.body#/data/url' })),
        },
        description: 'Prices a print of it.',
      },
    },
    handler: createUpload,
  },
  {
    method: 'GET',
    path: '/uploads/:id',
    scope: 'orders:write',
    perMinute: 120,
    id: 'getUpload',
    summary: 'Retrieve an upload',
    description:
      'Shows whether the bytes arrived, with their checksum. The upload may belong to either environment of the account. Until an order uses the bytes, you may replace them, which changes the checksum.',
    response: UPLOAD,
    handler: getUpload,
  },
  {
    method: 'POST',
    path: '/uploads/:id/renew',
    scope: 'orders:write',
    perMinute: 30,
    id: 'renewUpload',
    summary: 'Renew an upload',
    description:
      'Returns a new signed URL for an upload whose bytes have not arrived. The upload may belong to either environment of the account, and an order may already use it. `url` and `uploadId` stay the same, so quotes and orders stay valid.',
    response: UPLOAD_TARGET,
    errorCodes: ['ARTWORK_IN_USE', 'STORAGE_QUOTA_EXCEEDED', 'UPLOAD_LIMIT'],
    handler: renewUpload,
  },
];

async function createUpload({ deps, caller, body }: TradeRequest<BodyOf<typeof uploadRequest>>): Promise<HandlerResponse> {
  const uploadId = newId('upl');
  const key = artworkKey({ accountId: caller.accountId, uploadId, filename: body.filename, contentType: body.contentType });
  const target = await deps.storage.createUploadTarget({ key, contentType: body.contentType, sizeBytes: body.sizeBytes });
  await openTarget(
    deps,
    {
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
    },
    deps.config.storageQuotaBytes,
  );
  return { data: { uploadUrl: target.uploadUrl, contentType: target.contentType, url: target.url, key: target.key, uploadId } };
}

async function getUpload(request: TradeRequest): Promise<HandlerResponse> {
  const { deps, caller } = request;
  const upload = requireFound(request, 'upl', await findUpload(deps.database, caller.accountId, { id: pathId(request, 'upl') }));
  const current = await checkUpload(deps, upload);
  const inspection = current.received_at === null ? null : await findInspection(deps.database, current.id, current.checksum);
  return { data: presentUpload(current, inspection, deps.clock.now()) };
}

/** Refuses an upload whose bytes have arrived. The object key therefore stays the same. */
async function renewUpload(request: TradeRequest): Promise<HandlerResponse> {
  const { deps, caller } = request;
  const upload = requireFound(request, 'upl', await findUpload(deps.database, caller.accountId, { id: pathId(request, 'upl') }));
  const { id, storage_key: key, content_type: contentType, size_bytes: sizeBytes, filename, url, created_at: createdAt } = upload;
  const { received } = await checkUpload(deps, upload);
  if (received === null) throw storeUnanswered();
  if (received) throw artworkInUse();
  const { uploadUrl, expiresAt } = await deps.storage.createUploadTarget({ key, contentType, sizeBytes });
  const { environment, keyId, accountId } = caller;
  const target = { id, accountId, environment, keyId, filename, contentType, sizeBytes, storageKey: key, url, createdAt, expiresAt };
  await openTarget(deps, target, deps.config.storageQuotaBytes);
  await scheduleCheckSoon(request, id);
  return { data: { uploadUrl, contentType, url, key, uploadId: id } };
}

/** If the store does not report arrivals, makes the orders that wait for this upload check the store soon. */
async function scheduleCheckSoon({ deps, logger }: TradeRequest, uploadId: string): Promise<void> {
  const at = firstCheckAt(deps, deps.clock.now());
  if (at === null) return;
  for (const orderId of await scheduleUploadChecks(deps.database, uploadId, at))
    deps.temporal.runs
      .reload(orderId)
      .catch((error: unknown) => logger.warn({ err: error, orderId }, 'could not notify an order of a renewed upload'));
}
