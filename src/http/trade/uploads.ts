import { checkUpload } from '../../artwork/arrivals';
import { firstCheckAt } from '../../artwork/order-artwork';
import { artworkInUse, openTarget } from '../../artwork/targets';
import { findInspection } from '../../db/repositories/inspections';
import { scheduleUploadChecks } from '../../db/repositories/order-artwork';
import { findUpload } from '../../db/repositories/uploads';
import { ApiError } from '../../domain/errors';
import { LIMITS, UPLOAD_CONTENT_TYPES } from '../../domain/limits';
import type { PresentedInspection } from '../../presenters/uploads';
import { type PresentedUpload, presentUpload } from '../../presenters/uploads';
import { newId } from '../../security/ids';
import { artworkKey } from '../../storage';
import { BASKET_EXAMPLE, INSPECTION_EXAMPLE } from '../openapi/examples';
import * as json from '../openapi/json';
import { INSPECTION_FIELDS } from '../openapi/resources';
import { requireFound, pathId } from '../path-id';
import { type BodyOf, bodySchema, integerField, oneOfField, textField } from '../schemas/text';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../types';

export const uploadRequest = bodySchema({
  filename: textField(1, 1024).description("for its extension and the studio's records"),
  contentType: oneOfField(UPLOAD_CONTENT_TYPES).description('send the same as `Content-Type` with the PUT'),
  sizeBytes: integerField(1, LIMITS.uploadBytes).description('the exact length'),
});

const UPLOAD_ID = 'upl_6b1d0f52c9e84a37';
const ARTWORK_URL = BASKET_EXAMPLE.items[0]?.imageUrl ?? '';

const UPLOAD_TARGET = json.resource<{ uploadUrl: string; contentType: string; url: string; key: string; uploadId: string }>(
  'UploadTarget',
  {
    uploadUrl: [
      json.uri(
        'PUT the bytes here, with `contentType` as `Content-Type` and exactly `sizeBytes` bytes; valid for 15 minutes, and one more for every 10 MB of `sizeBytes`',
      ),
      'https://files.example/artwork/acc_0f3a/upl_6b1d0f52c9e84a37.jpg?expires=1772413323&size=48211&signature=9f',
    ],
    contentType: [json.openEnum(UPLOAD_CONTENT_TYPES, 'what to send as `Content-Type` with the PUT'), 'image/jpeg'],
    url: [json.uri("what a quote's line sends as `imageUrl`; opaque, to be sent back exactly"), ARTWORK_URL],
    key: [json.string("the object's name in the store; not needed to order"), 'acc_0f3a/upl_6b1d0f52c9e84a37.jpg'],
    uploadId: [json.id('upl', 'to ask whether the bytes arrived'), UPLOAD_ID],
  },
);

const INSPECTION = json.resource<PresentedInspection>('Inspection', INSPECTION_FIELDS);

const UPLOAD = json.resource<PresentedUpload>('Upload', {
  uploadId: [json.id('upl', 'the upload'), UPLOAD_ID],
  filename: [json.string('as declared'), 'dunes.jpg'],
  contentType: [json.openEnum(UPLOAD_CONTENT_TYPES, 'as declared'), 'image/jpeg'],
  sizeBytes: [json.integer('as declared; the store takes exactly so many bytes'), 48_211],
  url: [json.uri("what a quote's line sends as `imageUrl`"), ARTWORK_URL],
  received: [json.nullable(json.boolean('whether the bytes arrived; null where the store did not answer: ask again')), true],
  receivedAt: [
    json.nullable(json.time('when the last byte arrived; with an S3-compatible store, when the service first asked for it')),
    '2026-03-02T01:01:30.500Z',
  ],
  checksum: [
    json.nullable(json.string('`sha256:` and hex, or `etag:` and what an S3-compatible store calls them', { pattern: '^(sha256|etag):' })),
    `sha256:${'0f'.repeat(32)}`,
  ],
  inspection: [
    json.nullable({
      ...INSPECTION,
      description: 'what picture it is; null until somebody has looked at its bytes, some seconds after they arrived',
    }),
    INSPECTION_EXAMPLE,
  ],
  createdAt: [json.time('when the upload was declared'), '2026-03-02T01:01:00.000Z'],
  expiresAt: [json.time('the end of `uploadUrl`'), '2026-03-02T01:16:00.000Z'],
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
    summary: 'A signed URL to PUT one file of artwork to',
    description:
      `An account may have ${LIMITS.openTargetsPerAccount} open targets without bytes, and keeps artwork up to its storage quota.\n\n` +
      'Then send the file: `PUT` to `uploadUrl` exactly as it was given, its query included, with the returned `contentType` as `Content-Type` and a `Content-Length` of exactly `sizeBytes`, not ' +
      'chunked. The address is the authority: send no `Authorization`. Any 2xx says that the bytes are stored; then send `url` as the `imageUrl` of a line. The embedded store answers in the envelope: ' +
      '200 with `{ sizeBytes, contentType }`, 400 `VALIDATION_ERROR` for another length, 403 `FORBIDDEN` where the address was altered and `UPLOAD_EXPIRED` where it has expired, 412 `ARTWORK_IN_USE` where an order rests on other bytes, 429 ' +
      '`RATE_LIMITED` and 507 `STORAGE_FULL` with `Retry-After`. A store of the S3 kind answers in its own XML.',
    errorCodes: ['STORAGE_QUOTA_EXCEEDED', 'UPLOAD_LIMIT', 'STORAGE_FULL'],
    response: UPLOAD_TARGET,
    requestExample: { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes: 48_211 },
    links: {
      readIt: {
        operationId: 'getUpload',
        parameters: { id: '$response.body#/data/uploadId' },
        description: 'Asks whether the bytes arrived.',
      },
      quoteIt: {
        operationId: 'createQuote',
        requestBody: {
          ...BASKET_EXAMPLE,
          items: BASKET_EXAMPLE.items.map((item) => ({ ...item, imageUrl: '$response.body#/data/url' })),
        },
        description: 'Asks for the price of a print of it.',
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
    summary: 'Whether the bytes of an upload arrived, and which',
    description: "Of either of the account's environments. Bytes may be sent again until an order uses them: their checksum then changes.",
    response: UPLOAD,
    handler: getUpload,
  },
  {
    method: 'POST',
    path: '/uploads/:id/renew',
    scope: 'orders:write',
    perMinute: 30,
    id: 'renewUpload',
    summary: 'Another signed URL for an upload whose bytes have not arrived',
    description:
      "Of either of the account's environments, whether or not an order names it. `url` and `uploadId` stay the same, so nothing has to be quoted or ordered again.",
    response: UPLOAD_TARGET,
    errorCodes: ['ARTWORK_IN_USE', 'STORAGE_QUOTA_EXCEEDED', 'UPLOAD_LIMIT', 'STORAGE_FULL'],
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

/** Rulings 24, 59 and 60. */
async function getUpload(request: TradeRequest): Promise<HandlerResponse> {
  const { deps, caller } = request;
  const upload = requireFound(request, 'upl', await findUpload(deps.database, caller.accountId, pathId(request, 'upl')));
  const current = await checkUpload(deps, upload);
  const inspection = current.received_at === null ? null : await findInspection(deps.database, current.id, current.checksum);
  return { data: presentUpload(current, inspection) };
}

/** For the same key, which never gets other bytes (ruling 69). */
async function renewUpload(request: TradeRequest): Promise<HandlerResponse> {
  const { deps, caller } = request;
  const upload = requireFound(request, 'upl', await findUpload(deps.database, caller.accountId, pathId(request, 'upl')));
  const { id, storage_key: key, content_type: contentType, size_bytes: sizeBytes, filename, url, created_at: createdAt } = upload;
  const { received } = await checkUpload(deps, upload);
  if (received === null) throw new ApiError('OVERLOADED', 'the artwork store does not answer; send the request again', undefined, 1);
  if (received) throw artworkInUse();
  const { uploadUrl, expiresAt } = await deps.storage.createUploadTarget({ key, contentType, sizeBytes });
  const { environment, keyId, accountId } = caller;
  const target = { id, accountId, environment, keyId, filename, contentType, sizeBytes, storageKey: key, url, createdAt, expiresAt };
  await openTarget(deps, target, deps.config.storageQuotaBytes);
  await scheduleCheckSoon(request, id);
  return { data: { uploadUrl, contentType, url, key, uploadId: id } };
}

/** Tells the orders that wait for the upload to ask a store that does not tell of arrivals. */
async function scheduleCheckSoon({ deps, logger }: TradeRequest, uploadId: string): Promise<void> {
  const at = firstCheckAt(deps, deps.clock.now());
  if (at === null) return;
  for (const orderId of await scheduleUploadChecks(deps.database, uploadId, at))
    deps.temporal.runs
      .reload(orderId)
      .catch((error: unknown) => logger.warn({ err: error, orderId }, 'an order was not told of an upload that was renewed'));
}
