import { parseLine } from '../../../src/inspection/decoder-output';

const FACTS = {
  mediaType: 'image/tiff',
  widthPx: 40,
  heightPx: 30,
  orientation: 1,
  colourSpace: 'b-w',
  hasProfile: true,
  hasAlpha: false,
  pages: 3,
  extraChannels: 2,
};
const parse = (line: unknown) => parseLine(JSON.stringify(line));
const header = (changes: object) => ({ type: 'header', facts: { ...FACTS, ...changes }, peakRssBytes: 1, cpuSeconds: 0.5 });

it.each([
  { type: 'started', cpuSeconds: 0 },
  header({}),
  header(Object.fromEntries(Object.keys(FACTS).map((name) => [name, null]))),
  header({ ...Object.fromEntries(Object.keys(FACTS).map((name) => [name, null])), mediaType: 'application/pdf' }),
  { type: 'preview', peakRssBytes: 2, cpuSeconds: 1 },
  { type: 'limit', cpuSeconds: 1 },
  { type: 'unreadable', cause: 'too_many_pixels', cpuSeconds: 1 },
  { type: 'unreadable', cause: 'damaged_pixels', details: 'VipsJpeg: premature end', cpuSeconds: 1 },
  { type: 'no_preview', subject: 'TIFF with samples of a rare kind (64 bits)', cpuSeconds: 1 },
  { type: 'no_preview', subject: 'HEIC', cause: 'decoding it fails here', cpuSeconds: 1 },
])('accepts what the decoder writes: %j', (line) => {
  expect(parse(line)).toEqual(line);
});

it('drops unknown fields', () => {
  expect(parse({ ...header({ other: 1 }), other: 1 })).toEqual(header({}));
});

it.each([
  ['an incomplete line', '{"type":"previ'],
  ['another type', { type: 'other', cpuSeconds: 1 }],
  ['no object', [1]],
  ['null', null],
  ['no CPU time', { type: 'preview', peakRssBytes: 2 }],
  ['a negative CPU time', { type: 'started', cpuSeconds: -1 }],
  ['an unknown cause', { type: 'unreadable', cause: 'other', cpuSeconds: 1 }],
  ['no subject', { type: 'no_preview', cpuSeconds: 1 }],
  ['U+0000 in the subject', { type: 'no_preview', subject: 'a\0b', cpuSeconds: 1 }],
  ['a line break in the subject', { type: 'no_preview', subject: 'a\nb', cpuSeconds: 1 }],
  ['a mark of text direction in the subject', { type: 'no_preview', subject: 'a\u202eb', cpuSeconds: 1 }],
  ['an address in the subject', { type: 'no_preview', subject: 'see studio.example', cpuSeconds: 1 }],
  ['an address in the cause', { type: 'no_preview', subject: 'HEIC', cause: 'see https://studio.example', cpuSeconds: 1 }],
  ['a long subject', { type: 'no_preview', subject: 'a'.repeat(81), cpuSeconds: 1 }],
  ['no width', header({ widthPx: null })],
  ['a width of zero', header({ widthPx: 0 })],
  ['a width above 31 bits', header({ widthPx: 2 ** 31 })],
  ['half a pixel', header({ heightPx: 1.5 })],
  ['a width in text', header({ widthPx: '40' })],
  ['orientation 0', header({ orientation: 0 })],
  ['orientation 9', header({ orientation: 9 })],
  ['no pages', header({ pages: 0 })],
  ['a negative number of channels', header({ extraChannels: -1 })],
  ['U+0000 in the color space', header({ colourSpace: 'srgb\0' })],
  ['U+0000 in the media type', header({ mediaType: 'image/\0' })],
  ['a number as profile', header({ hasProfile: 1 })],
  ['no facts', { type: 'header', peakRssBytes: 1, cpuSeconds: 1 }],
])('ignores %s', (_what, line) => {
  expect(typeof line === 'string' ? parseLine(line) : parse(line)).toBeNull();
});
