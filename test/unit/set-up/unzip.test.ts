import { inNode } from './in-node';
import { zipOf, type ZipEntry } from './zip';

const TEXT = 'a program of the studio, '.repeat(200);
const NAME = 'tiny-1.0.0.data/scripts/tiny';

function program(change: Partial<ZipEntry> = {}): ZipEntry {
  return { name: NAME, contents: Buffer.from(TEXT), ...change };
}

function read(zip: Buffer, name = NAME): ReturnType<typeof inNode> {
  return inNode(
    `
    const { readZipEntry } = await lib('unzip.mjs');
    return readZipEntry(Buffer.from(input.zip, 'base64'), input.name).toString();`,
    { zip: zip.toString('base64'), name },
  );
}

/** The same archive with one byte changed. */
function withByte(zip: Buffer, at: number, change: (byte: number) => number): Buffer {
  const copy = Buffer.from(zip);
  copy[at] = change(copy[at] ?? 0);
  return copy;
}

describe('One file out of a zip', () => {
  it.each([
    ['packed', zipOf([program()])],
    ['stored', zipOf([program({ method: 0 })])],
    ['among others', zipOf([{ name: 'other', contents: Buffer.from('x') }, program(), { name: 'empty', contents: Buffer.alloc(0) }])],
  ])('is read when it is %s', async (_how, zip) => {
    expect((await read(zip)).result).toBe(TEXT);
  });

  it('may be empty, and may be followed by a comment', async () => {
    const zip = zipOf([{ name: 'empty', contents: Buffer.alloc(0) }]);
    zip.writeUInt16LE(5, zip.length - 2);
    expect((await read(Buffer.concat([zip, Buffer.from('hello')]), 'empty')).result).toBe('');
  });

  const whole = zipOf([program()]);
  const dataAt = 30 + NAME.length;
  it.each<[string, Buffer, RegExp]>([
    ['of nothing', Buffer.alloc(0), /no zip/],
    ['of something else', Buffer.from('<html>no such file</html>'), /no zip/],
    ['cut off at its end', whole.subarray(0, whole.length - 1), /no zip/],
    ['with its beginning lost', whole.subarray(10), /no whole central directory/],
    ['with more at its end than its comment', Buffer.concat([whole, Buffer.from('x')]), /no zip/],
    ['with a damaged list', withByte(whole, whole.length - 22 - NAME.length - 46, () => 0), /central directory is damaged/],
    [
      'that counts more entries than it lists',
      withByte(
        withByte(whole, whole.length - 14, () => 2),
        whole.length - 12,
        () => 2,
      ),
      /central directory is damaged/,
    ],
    ['without that file', zipOf([program({ name: 'other' })]), /0 entries/],
    ['with that file twice', zipOf([program(), program()]), /2 entries/],
    ['whose bytes were changed', withByte(zipOf([program({ method: 0 })]), dataAt, (byte) => byte ^ 1), /size and CRC/],
    ['whose packed bytes were changed', withByte(whole, dataAt, () => 0xff), /cannot be unpacked/],
    ['with another CRC', zipOf([program({ crc: 7 })]), /size and CRC/],
    ['with a file that unpacks to more than it says', zipOf([program({ size: 10 })]), /cannot be unpacked/],
    ['with a file that unpacks to less than it says', zipOf([program({ size: TEXT.length + 1 })]), /size and CRC/],
    ['with a file that reaches beyond its data', zipOf([program({ packedSize: 100_000 })]), /cut off/],
    ['with another name before the data', zipOf([program({ localName: NAME.replace('tiny', 'evil') })]), /is not where the zip says/],
    ['with an encrypted file', zipOf([program({ flags: 1 })]), /encrypted/],
    ['packed in another way', zipOf([program({ method: 12 })]), /method 12/],
  ])('is refused from an archive %s', async (_what, zip, problem) => {
    expect((await read(zip)).error).toMatch(problem);
  });
});
