import { formatByteSize, parseByteSize } from '../../../src/domain/byte-size';

it.each([
  ['0B', 0],
  ['4194304B', 4_194_304],
  ['500MB', 500_000_000],
  [' 50GB ', 50_000_000_000],
  ['50', null],
  ['50 GB', null],
  ['-1GB', null],
  ['1.5GB', null],
  ['50gb', null],
])('%s is %s bytes', (text, bytes) => {
  expect(parseByteSize(text)).toBe(bytes);
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 kB'],
  [49_990_000_000, '49.9 GB'],
  [2e12, '2 TB'],
])('%d bytes are written as %s', (bytes, text) => {
  expect(formatByteSize(bytes)).toBe(text);
});
