import { LIMITS } from '../../../domain/limits';
import { string } from '../json';
import type { OperationContract } from '../operation';
import { CATALOGUE } from '../resources';

export const CATALOGUE_OPERATIONS = {
  read: {
    id: 'getCatalogue',
    tag: 'Catalogue',
    summary: 'What can be ordered: products, materials and sizes, without prices',
    description: `May be kept for ${LIMITS.catalogueCacheSeconds} seconds; send its ETag as If-None-Match to be told 304 while it is the same.`,
    answer: CATALOGUE,
    headers: {
      'If-None-Match': { schema: string(), description: 'the ETag of the catalogue you have', example: '"5f0c2d7e"' },
    },
    answerHeaders: { ETag: string('names this catalogue') },
    notModified: true,
    example: {
      answer: {
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
        canvasMedia: [],
        everydayArtMedia: [],
        sizes: [],
        mouldings: [],
        canvasMouldings: [],
        matboards: [],
        glazing: [],
        backing: [],
        qualityTiers: [],
        sleeves: [],
      },
    },
  },
} satisfies Record<string, OperationContract>;
