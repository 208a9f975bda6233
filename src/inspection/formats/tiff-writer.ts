/** Writes TIFF directories (TIFF 6.0 section 2). */
import { TAG, type TiffEntry, type TiffFile } from './tiff-directory';
import type { WorkingCopy } from './working-copy';

const SHORT = 3;
const LONG = 4;
const UNDEFINED = 7;

/**
 * Appends a directory with these entries to the file and makes it the only one. Offsets in entries stay valid, because the bytes after the
 * header keep their places.
 */
export function replaceDirectories(copy: WorkingCopy, file: TiffFile, entries: readonly TiffEntry[]): void {
  const offset = copy.saveHeader();
  copy.write(offset, encodeDirectory(file, entries));
  copy.write(file.isBig ? 8 : 4, encodeNumber(file, offset, file.isBig ? 8 : 4));
}

type Layout = Pick<TiffFile, 'isBig' | 'isLittleEndian'>;

/** An entry with one SHORT. */
export const shortEntry = (file: Layout, tag: number, value: number): TiffEntry => numberEntry(file, tag, SHORT, value);
/** An entry with one LONG. */
export const longEntry = (file: Layout, tag: number, value: number): TiffEntry => numberEntry(file, tag, LONG, value);

function numberEntry(file: Layout, tag: number, type: number, value: number): TiffEntry {
  const field = Buffer.alloc(file.isBig ? 8 : 4);
  encodeNumber(file, value, type === SHORT ? 2 : 4).copy(field);
  return { tag, type, count: 1, field };
}

function encodeDirectory(file: Layout, entries: readonly TiffEntry[]): Buffer {
  const offsetBytes = file.isBig ? 8 : 4;
  const sorted = [...entries].sort((a, b) => a.tag - b.tag);
  return Buffer.concat([
    encodeNumber(file, sorted.length, file.isBig ? 8 : 2),
    ...sorted.flatMap(({ tag, type, count, field }) => [
      encodeNumber(file, tag, 2),
      encodeNumber(file, type, 2),
      encodeNumber(file, count, offsetBytes),
      field,
    ]),
    encodeNumber(file, 0, offsetBytes),
  ]);
}

function encodeNumber({ isLittleEndian }: Pick<TiffFile, 'isLittleEndian'>, value: number, size: 2 | 4 | 8): Buffer {
  const bytes = Buffer.alloc(size);
  if (size === 8) {
    if (isLittleEndian) bytes.writeBigUInt64LE(BigInt(value));
    else bytes.writeBigUInt64BE(BigInt(value));
  } else if (isLittleEndian) bytes.writeUIntLE(value, 0, size);
  else bytes.writeUIntBE(value, 0, size);
  return bytes;
}

/** Pixels in memory, row by row, the channels of a pixel together. 16-bit samples are little-endian. */
export interface Pixels {
  width: number;
  height: number;
  bits: 8 | 16;
  photometric: number;
  /** Color channels, and an alpha channel if `alpha` is set. */
  channels: number;
  /** The value of ExtraSamples: 1 for premultiplied alpha, 2 for other alpha; null without alpha. */
  alpha: 1 | 2 | null;
  profile: Buffer | null;
  data: Uint8Array;
}

/** A TIFF without compression, which every decoder reads alike. */
export function encodeTiff({ width, height, bits, photometric, channels, alpha, profile, data }: Pixels): Buffer {
  const file = { isBig: false, isLittleEndian: true };
  const numbers = (tag: number, type: number, values: number[]): [number, number, number, Buffer] => [
    tag,
    type,
    values.length,
    Buffer.concat(values.map((value) => encodeNumber(file, value, type === SHORT ? 2 : 4))),
  ];
  const rows: [tag: number, type: number, count: number, value: Buffer][] = [
    numbers(TAG.width, LONG, [width]),
    numbers(TAG.height, LONG, [height]),
    numbers(
      TAG.bitsPerSample,
      SHORT,
      Array.from({ length: channels }, () => bits),
    ),
    numbers(TAG.compression, SHORT, [1]),
    numbers(TAG.photometric, SHORT, [photometric]),
    numbers(TAG.stripOffsets, LONG, [8]),
    numbers(TAG.samplesPerPixel, SHORT, [channels]),
    numbers(TAG.rowsPerStrip, LONG, [height]),
    numbers(TAG.stripByteCounts, LONG, [data.byteLength]),
    ...(alpha === null ? [] : [numbers(TAG.extraSamples, SHORT, [alpha])]),
    ...(profile === null ? [] : [[TAG.iccProfile, UNDEFINED, profile.length, profile] as [number, number, number, Buffer]]),
  ];
  const parts: Buffer[] = [Buffer.from(data.buffer, data.byteOffset, data.byteLength)];
  let end = 8 + data.byteLength;
  const append = (bytes: Buffer): number => {
    const padding = end % 2;
    parts.push(Buffer.alloc(padding), bytes);
    const at = end + padding;
    end = at + bytes.length;
    return at;
  };
  const entries = rows.map(([tag, type, count, value]): TiffEntry => {
    const field = value.length > 4 ? encodeNumber(file, append(value), 4) : Buffer.concat([value, Buffer.alloc(4 - value.length)]);
    return { tag, type, count, field };
  });
  const directoryAt = append(encodeDirectory(file, entries));
  return Buffer.concat([Buffer.from('II*\0', 'latin1'), encodeNumber(file, directoryAt, 4), ...parts]);
}
