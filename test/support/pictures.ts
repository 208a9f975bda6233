import { constants, crc32, deflateRawSync } from 'node:zlib';
import sharp from 'sharp';

/** A picture of noise, which compresses badly, with a left half darker than its right. */
export function aPicture(width: number, height: number): sharp.Sharp {
  const half = { create: { width: Math.ceil(width / 2), height, channels: 3 as const, background: 'rgb(20,20,20)' } };
  return sharp({ create: { width, height, channels: 3, background: 'rgb(230,230,230)' } }).composite([{ input: half, left: 0, top: 0 }]);
}

/** An uncompressed gray TIFF with a page of each size. */
export function aTiffWithPages(...sizes: readonly (readonly [width: number, height: number])[]): Buffer {
  const pages: Buffer[] = [];
  let offset = 8;
  sizes.forEach(([width, height], index) => {
    const pixels = offset + 2 + 9 * 12 + 4;
    const next = index === sizes.length - 1 ? 0 : pixels + width * height;
    const tags = [
      [256, width],
      [257, height],
      [258, 8],
      [259, 1],
      [262, 1],
      [273, pixels],
      [277, 1],
      [278, height],
      [279, width * height],
    ].map(([tag = 0, value = 0]) => Buffer.concat([u16(tag), u16(4), u32(1), u32(value)]));
    pages.push(u16(tags.length), ...tags, u32(next), Buffer.alloc(width * height, 128));
    offset = next;
  });
  return Buffer.concat([text('MM'), u16(42), u32(8), ...pages]);
}

/** A HEIC file with a phone's header and invalid pixels, because no decoder here supports its codec. */
export function aHeic(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(100, 1);
  const type = box('ftyp', text('heic'), u32(0), text('mif1heic'));
  const before = type.length + metaBox(width, height, 0, pixels.length).length + 8;
  return Buffer.concat([type, metaBox(width, height, before, pixels.length), box('mdat', pixels)]);
}

function metaBox(width: number, height: number, offset: number, bytes: number): Buffer {
  const configuration = Buffer.from('0101600000009000000000005df000fcfdf8f800000f00', 'hex');
  return fullBox(
    'meta',
    0,
    fullBox('hdlr', 0, u32(0), text('pict'), Buffer.alloc(13)),
    fullBox('pitm', 0, u16(1)),
    fullBox('iloc', 0, Buffer.from([0x44, 0]), u16(1), u16(1), u16(0), u16(1), u32(offset), u32(bytes)),
    fullBox('iinf', 0, u16(1), fullBox('infe', 2, u16(1), u16(0), text('hvc1\0'))),
    box(
      'iprp',
      box('ipco', box('hvcC', configuration), fullBox('ispe', 0, u32(width), u32(height))),
      fullBox('ipma', 0, u32(1), u16(1), Buffer.from([2, 0x81, 2])),
    ),
  );
}

/** The header of a PNG and the compressed size of its pixels in a single color, without the pixels. */
export async function aPngThatClaims(width: number, height: number): Promise<Buffer> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

/** A transparent PNG of 16 bits and four channels. Decoding takes eight bytes a pixel, and sending a thousandth of that. */
export function aLargeEmptyPng(width: number, height: number): Buffer {
  return anEmptyPng(width, height, 0, height * (1 + width * 8));
}

/** The seven passes of an interlaced PNG: the distances between their columns and between their rows. */
const ADAM7_PASSES = [
  [8, 8],
  [8, 8],
  [4, 8],
  [4, 4],
  [2, 4],
  [2, 2],
  [1, 2],
] as const;

/** As `aLargeEmptyPng`, but decoding needs all pixels in memory. The sides are multiples of eight. */
export function aLargeInterlacedPng(width: number, height: number): Buffer {
  const passes = ADAM7_PASSES.map(([columnStep, rowStep]) => (height / rowStep) * (1 + (width / columnStep) * 8));
  return anEmptyPng(
    width,
    height,
    1,
    passes.reduce((sum, bytes) => sum + bytes, 0),
  );
}

function anEmptyPng(width: number, height: number, interlace: number, bytes: number): Buffer {
  const header = Buffer.concat([u32(width), u32(height), Buffer.from([16, 6, 0, 0, interlace])]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', zlibOfZeros(bytes)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** An RGB TIFF with two more channels of 8 bits. */
export function aFiveChannelTiff(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height * 5, 128);
  const afterDirectory = 8 + 2 + 10 * 12 + 4;
  const entries = [
    [256, 3, 1, width],
    [257, 3, 1, height],
    [258, 3, 5, afterDirectory],
    [259, 3, 1, 1],
    [262, 3, 1, 2],
    [273, 4, 1, afterDirectory + 10],
    [277, 3, 1, 5],
    [278, 3, 1, height],
    [279, 4, 1, pixels.length],
    [338, 3, 2, 0],
  ].map(([tag = 0, type = 0, count = 0, value = 0]) =>
    Buffer.concat([u16(tag), u16(type), u32(count), type === 3 && count < 3 ? u32(value * 65_536) : u32(value)]),
  );
  const bits = Buffer.concat(Array.from({ length: 5 }, () => u16(8)));
  return Buffer.concat([text('MM\0*'), u32(8), u16(entries.length), ...entries, u32(0), bits, pixels]);
}

function pngChunk(name: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([text(name), data]);
  return Buffer.concat([u32(data.length), typeAndData, u32(crc32(typeAndData))]);
}

/** Repeats one compressed block, so the whole picture need not be compressed. */
function zlibOfZeros(bytes: number): Buffer {
  const pieceBytes = 16 * 1024 * 1024;
  const piece = deflateRawSync(Buffer.alloc(pieceBytes), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const last = deflateRawSync(Buffer.alloc(bytes % pieceBytes), { level: 9 });
  const adler32 = u32(((bytes % 65_521) * 65_536 + 1) >>> 0);
  return Buffer.concat([Buffer.from([0x78, 0x01]), ...Array<Buffer>(Math.floor(bytes / pieceBytes)).fill(piece), last, adler32]);
}

const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const box = (name: string, ...parts: Buffer[]): Buffer => {
  const inside = Buffer.concat(parts);
  return Buffer.concat([u32(inside.length + 8), text(name), inside]);
};
const fullBox = (name: string, version: number, ...parts: Buffer[]): Buffer => box(name, u32(version << 24), ...parts);

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
