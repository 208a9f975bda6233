import { LIMITS } from '../../../domain/limits';
import { BASKET_EXAMPLE, RECEIVED_EXAMPLE, UPLOAD_EXAMPLE } from '../examples';
import { string } from '../json';
import type { OperationContract } from '../operation';
import { UPLOAD, UPLOAD_TARGET } from '../resources';

export const UPLOAD_OPERATIONS = {
  create: {
    id: 'createUpload',
    tag: 'Artwork',
    summary: 'A signed URL to PUT one file of artwork to',
    description: `PUT exactly \`sizeBytes\` bytes to \`uploadUrl\`, then send \`url\` as a line's \`imageUrl\`. An account may have ${LIMITS.openTargetsPerAccount} open targets without bytes.`,
    answer: UPLOAD_TARGET,
    example: { request: { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes: 48_211 }, answer: UPLOAD_EXAMPLE },
    links: {
      readIt: {
        operationId: 'getUpload',
        parameters: { id: '$response.body#/data/uploadId' },
        description: 'Asks whether the bytes arrived.',
      },
      quoteIt: {
        operationId: 'createQuote',
        requestBody: { ...BASKET_EXAMPLE, items: BASKET_EXAMPLE.items.map((item) => ({ ...item, imageUrl: '$response.body#/data/url' })) },
        description: 'Asks for the price of a print of it.',
      },
    },
  },
  read: {
    id: 'getUpload',
    tag: 'Artwork',
    summary: 'Whether the bytes of an upload arrived, and which',
    description: "Of either of the account's environments. Bytes may be sent again until an order uses them: their checksum then changes.",
    params: { id: { schema: string(), description: 'of the upload', example: UPLOAD_EXAMPLE.uploadId } },
    answer: UPLOAD,
    example: { answer: RECEIVED_EXAMPLE },
  },
} satisfies Record<string, OperationContract>;
