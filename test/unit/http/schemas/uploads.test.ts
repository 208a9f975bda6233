import { uploadRequest } from '../../../../src/http/trade/uploads';
import { validateBody } from '../../../../src/http/schemas/validate';
import { astralText, bodyPaths } from './paths';

const VALID_REQUEST = { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes: 10 };

describe('the body of POST /uploads', () => {
  it.each<[field: string, wrong: unknown[]]>([
    ['filename', [undefined, null, 1, true, [], {}, '', 'x'.repeat(1025), astralText(1025), 'a\u0000.jpg', '\ud800.jpg']],
    [
      'contentType',
      [
        undefined,
        null,
        1,
        [],
        {},
        '',
        'image/gif',
        'IMAGE/JPEG',
        ' image/jpeg',
        'image/jpeg; q=1',
        'image/svg+xml',
        'image/*',
        'x'.repeat(256),
        'image/jpeg\u0000',
        '__proto__',
      ],
    ],
    ['sizeBytes', [undefined, null, '10', 0, -1, 1.5, 524_288_001, 1e300, true, [10], {}]],
  ])('%s refuses each invalid value at its path', (field, wrong) => {
    for (const value of wrong) expect([value, bodyPaths(uploadRequest, { ...VALID_REQUEST, [field]: value })]).toEqual([value, [field]]);
  });

  it.each<[string, unknown]>([
    ['filename', 'x'],
    ['filename', 'x'.repeat(1024)],
    ['filename', astralText(1024)],
    ['filename', '  '],
    ['filename', '../../etc/passwd'],
    ['filename', 'a/b\\c\r\n"d".jpg'],
    ['filename', '.'],
    ['filename', 'ünï 🖼.tiff'],
    ['contentType', 'image/jpeg'],
    ['contentType', 'image/png'],
    ['contentType', 'image/webp'],
    ['contentType', 'image/tiff'],
    ['contentType', 'image/heic'],
    ['sizeBytes', 1],
    ['sizeBytes', 524_288_000],
  ])('%s accepts %j unchanged', (field, value) => {
    const body = { ...VALID_REQUEST, [field]: value };
    expect(validateBody(uploadRequest, body)).toEqual(body);
  });
});
