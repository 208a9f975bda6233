import * as fc from 'fast-check';
import { UPLOAD_CONTENT_TYPES } from '../../../src/domain/limits';
import { artworkKey, parseArtworkKey } from '../../../src/storage';
import { propertyRuns } from '../../support/property-runs';

const ids = { accountId: 'acc_1', uploadId: 'upl_2' };

describe('artworkKey', () => {
  test.each([
    ['photo.png', 'image/png', 'png'],
    ['photo.JPEG', 'image/jpeg', 'jpeg'],
    ['photo.tif', 'image/tiff', 'tif'],
    ['photo.heif', 'image/heic', 'heif'],
    ['photo', 'image/jpeg', 'jpg'],
    ['png', 'image/png', 'png'],
    ['photo.', 'image/webp', 'webp'],
    ['photo.png', 'image/jpeg', 'png'],
    ['photo.exe', 'image/tiff', 'tiff'],
    ['../../etc/passwd', 'image/png', 'png'],
    ['..\\..\\boot.ini', 'image/png', 'png'],
    ['a.png/../../b', 'image/png', 'png'],
    ['a.png\0.sh', 'image/png', 'png'],
    ['a\0.png', 'image/png', 'png'],
    ['Фото\u202Egnp.exe', 'image/png', 'png'],
    ['a.constructor', 'image/png', 'png'],
  ] as const)('%j as %s ends in .%s', (filename, contentType, extension) => {
    expect(artworkKey({ ...ids, filename, contentType })).toBe(`artwork/acc_1/upl_2.${extension}`);
  });

  test('any filename gives a well-formed key that names its account and upload', () => {
    const filenames = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string().map((text) => `${text}.png`),
    );
    fc.assert(
      fc.property(filenames, fc.constantFrom(...UPLOAD_CONTENT_TYPES), (filename, contentType) => {
        expect(parseArtworkKey(artworkKey({ ...ids, filename, contentType }))).toMatchObject(ids);
      }),
      propertyRuns(100),
    );
  });

  test.each(['', '..', 'a/b', 'a.b', 'a b', 'é', 'a\n', 'x'.repeat(65)])('an id %j is refused', (uploadId) => {
    expect(() => artworkKey({ ...ids, uploadId, filename: 'a.png', contentType: 'image/png' })).toThrow(RangeError);
  });
});
