import { SEED_CATALOGUE } from '../../../../../src/db/seed/catalogue';
import type { StoredCatalogueSection } from '../../../../../src/domain/catalogue';
import { CATALOGUE_ROW, SECTION_FIELDS } from '../../../../../src/http/catalogue-rows';
import { GLAZING, MEDIA } from '../../../../support/catalogue-rows';
import { studioPaths } from '../../schemas/paths';

describe('a row of the catalogue', () => {
  it.each<[string, StoredCatalogueSection, string, object, string[]]>([
    ['a row without its fields', 'sleeves', 'A5', {}, ['widthMm', 'heightMm']],
    ['an id with a space', 'media', 'media new', { ...MEDIA, id: undefined }, ['id']],
    ['an id of 101 characters', 'media', 'x'.repeat(101), { ...MEDIA, id: undefined }, ['id']],
    ['no name', 'media', 'media-new', { ...MEDIA, name: '' }, ['name']],
    ['an unknown tier of stock', 'media', 'media-new', { ...MEDIA, storefrontTier: 'gold' }, ['storefrontTier']],
    ['canvas among the papers', 'media', 'media-new', { ...MEDIA, surfaceType: 'canvas' }, ['surfaceType']],
    ['paper among the canvases', 'canvasMedia', 'media-new', MEDIA, ['surfaceType']],
    ['a width in text', 'media', 'media-new', { ...MEDIA, maxPrintWidthMm: '1118' }, ['maxPrintWidthMm']],
    ['an image URL that is not a web address', 'media', 'media-new', { ...MEDIA, imageUrl: 'javascript:1' }, ['imageUrl']],
    ['tiers as text', 'glazing', 'glazing-new', { ...GLAZING, qualityTierIds: 'museum' }, ['qualityTierIds']],
    ['withdrawn as text', 'glazing', 'glazing-new', { ...GLAZING, withdrawn: 'no' }, ['withdrawn']],
    [
      'a product that is not orderable',
      'products',
      'mounted-print',
      { name: 'Mounted', description: '', category: null, requiresArtwork: true },
      ['slug'],
    ],
    [
      'an invalid colour',
      'mouldings',
      'moulding-new',
      { ...SEED_CATALOGUE.mouldings[0], id: 'moulding-new', colourHex: 'brown' },
      ['colourHex'],
    ],
  ])('%s is refused', (_title, section, id, row, paths) => {
    const [idField = 'id'] = SECTION_FIELDS[section];
    expect(studioPaths(CATALOGUE_ROW[section], { ...row, [idField]: id })).toEqual(paths);
  });
});
