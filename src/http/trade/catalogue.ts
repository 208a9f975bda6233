import type { CatalogueSnapshot } from '../../db/repositories/catalogue';
import type { Catalogue } from '../../domain/catalogue';
import { LIMITS } from '../../domain/limits';

import { successBody } from '../../presenters/envelope';
import { sha256 } from '../../security/fingerprint';
import { CATALOGUE_ROWS, presentCatalogue } from '../catalogue-rows';
import * as json from '../openapi/json';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../types';

const SECTION_DESCRIPTIONS: { readonly [S in keyof Catalogue]: string } = {
  products: 'the products for quotes; other products are refused',
  media: 'fine-art and photographic papers',
  canvasMedia: 'canvas stocks',
  everydayArtMedia: 'Everyday Art stocks',
  sizes: 'named sizes; other sizes are allowed too',
  mouldings: 'frame profiles',
  canvasMouldings: 'the mouldings with `canvasFloatSuitable`',
  matboards: 'boards for window mounts',
  glazing: 'glass and acrylic',
  backing: 'backing boards',
  qualityTiers: 'a tier limits which mouldings, boards, glazing and backing can be combined',
  sleeves: 'clear sleeves for unframed prints',
};

const CATALOGUE = json.resource<Catalogue>(
  'Catalogue',
  Object.fromEntries(
    Object.entries(SECTION_DESCRIPTIONS).map(([section, text]) => [section, json.list(CATALOGUE_ROWS[section as keyof Catalogue], text)]),
  ) as json.Fields<Catalogue>,
  { description: 'The catalogue contains all twelve sections, without prices.' },
);

export const CATALOGUE_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'GET',
    path: '/catalogue',
    scope: 'price:read',
    perMinute: 120,
    id: 'getCatalogue',
    summary: 'Retrieve the catalogue',
    description: `The catalogue contains products, materials and sizes, without prices. Clients may cache it for ${LIMITS.catalogueCacheSeconds} seconds. Send its ETag as If-None-Match: if nothing changed, the response is 304.`,
    response: CATALOGUE,
    headers: {
      'If-None-Match': { schema: json.string(), description: 'the ETag of your copy of the catalogue', example: '"5f0c2d7e"' },
    },
    responseHeaders: { ETag: json.string('identifies this version of the catalogue') },
    notModified: true,
    example: {
      ...Object.fromEntries(Object.keys(SECTION_DESCRIPTIONS).map((section) => [section, []])),
      products: [
        {
          slug: 'fine-art-printing',
          name: 'Fine Art Printing',
          description: 'Giclée prints on fine-art paper',
          category: 'prints',
          requiresArtwork: true,
        },
      ],
      media: [
        {
          id: 'media-cotton-rag-310',
          name: 'Cotton Rag 310',
          clientTitle: null,
          description: null,
          imageUrl: null,
          storefrontTier: 'advanced',
          surfaceType: 'matte',
          gramsPerSqm: 310,
          maxPrintWidthMm: 1100,
          supportsTornEdge: true,
        },
      ],
    },
    handler: getCatalogue,
  },
];

interface CatalogueBody {
  text: string;
  etag: string;
}

const bodies = new WeakMap<CatalogueSnapshot, CatalogueBody>();

/** The catalogue is large and equal for all accounts, so clients may cache it for 60 seconds and send its ETag. */
async function getCatalogue({ deps, headers }: TradeRequest): Promise<HandlerResponse> {
  const { text, etag } = renderCatalogue(await deps.catalogue.read(deps.database));
  const cache = { 'Cache-Control': `private, max-age=${LIMITS.catalogueCacheSeconds}`, ETag: etag };
  return matchesEtag(headers['if-none-match'], etag) ? { status: 304, headers: cache } : { text, headers: cache };
}

function renderCatalogue(snapshot: CatalogueSnapshot): CatalogueBody {
  const cached = bodies.get(snapshot);
  if (cached !== undefined) return cached;
  const text = successBody(presentCatalogue(snapshot.onOffer));
  const body = { text, etag: `"${sha256(text).slice(0, 32)}"` };
  bodies.set(snapshot, body);
  return body;
}

/** Replaces `ctx.fresh`, which is false if the request has `Cache-Control: no-cache`. `fetch` adds that to the caller's If-None-Match. */
function matchesEtag(header: string | string[] | undefined, etag: string): boolean {
  const tags = String(header ?? '')
    .split(',')
    .map((part) => part.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
