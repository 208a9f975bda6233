import type { CatalogueSnapshot } from '../../db/repositories/catalogue';
import type { Catalogue } from '../../domain/catalogue';
import { LIMITS } from '../../domain/limits';

import { successBody } from '../../presenters/envelope';
import { sha256 } from '../../security/fingerprint';
import { presentCatalogue } from '../catalogue-rows';
import * as json from '../openapi/json';
import { CATALOGUE_ROWS } from '../openapi/resources';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../types';

const SECTION_DESCRIPTIONS: { readonly [S in keyof Catalogue]: string } = {
  products: 'what may be ordered; a product that is not listed cannot be quoted',
  media: 'fine-art and photographic papers',
  canvasMedia: 'canvas stocks',
  everydayArtMedia: 'Everyday Art stocks',
  sizes: 'named sizes; a convenience, no constraint',
  mouldings: 'frame profiles',
  canvasMouldings: 'the mouldings with `canvasFloatSuitable`, and no others',
  matboards: 'boards for window mounts',
  glazing: 'glass and acrylic',
  backing: 'backing boards',
  qualityTiers: 'tiers limit which mouldings, boards, glazing and backing go together',
  sleeves: 'clear sleeves for prints without a frame',
};

const CATALOGUE = json.resource<Catalogue>(
  'Catalogue',
  Object.fromEntries(
    Object.entries(CATALOGUE_ROWS).map(([section, row]) => [section, json.list(row, SECTION_DESCRIPTIONS[section as keyof Catalogue])]),
  ) as json.Fields<Catalogue>,
  { description: 'Always all twelve sections. No prices.' },
);

export const CATALOGUE_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'GET',
    path: '/catalogue',
    scope: 'price:read',
    perMinute: 120,
    id: 'getCatalogue',
    summary: 'What can be ordered: products, materials and sizes, without prices',
    description: `May be kept for ${LIMITS.catalogueCacheSeconds} seconds; send its ETag as If-None-Match to be told 304 while it is the same.`,
    response: CATALOGUE,
    headers: {
      'If-None-Match': { schema: json.string(), description: 'the ETag of the catalogue you have', example: '"5f0c2d7e"' },
    },
    responseHeaders: { ETag: json.string('names this catalogue') },
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

/** Large and the same for all, so clients may keep it for 60 seconds and ask by ETag (ruling 12). */
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

/** Not `ctx.fresh`: `fetch` sends `Cache-Control: no-cache` with an If-None-Match of its caller, for which that is never true. */
function matchesEtag(header: string | string[] | undefined, etag: string): boolean {
  const tags = String(header ?? '')
    .split(',')
    .map((part) => part.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
