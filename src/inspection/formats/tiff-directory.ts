/**
 * Reads the directories of TIFF and BigTIFF files (TIFF 6.0 section 2). The file is untrusted: directories, their entries and their values
 * are bounded, and each directory is read once.
 */
import { readSync } from 'node:fs';
import type { WorkingCopy } from './working-copy';

const MAX_DIRECTORIES = 1000;
/** More entries than any program writes. */
const MAX_ENTRIES = 2000;
/** Directories in directories: TIFF/EP files have one level. */
const MAX_DEPTH = 3;
/** The values of an entry that are usually needed. */
const MAX_VALUES = 64;
/** More than any color profile has. */
const MAX_ENTRY_BYTES = 16 * 1024 * 1024;

export const TAG = {
  newSubfileType: 254,
  subfileType: 255,
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  orientation: 274,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  planarConfiguration: 284,
  faxOptions: 292,
  fax4Options: 293,
  predictor: 317,
  colorMap: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
  subDirectories: 330,
  inkSet: 332,
  numberOfInks: 334,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
  yCbCrCoefficients: 529,
  yCbCrSubsampling: 530,
  yCbCrPositioning: 531,
  referenceBlackWhite: 532,
  iccProfile: 34675,
} as const;

/** Field types of integers and their bytes: BYTE, SHORT, LONG, IFD, LONG8, IFD8 and the signed ones. */
const INTEGER_SIZES = new Map([
  [1, 1],
  [3, 2],
  [4, 4],
  [6, 1],
  [8, 2],
  [9, 4],
  [13, 4],
  [16, 8],
  [17, 8],
  [18, 8],
]);

/** BYTE and UNDEFINED. */
const BYTE_TYPES: ReadonlySet<number> = new Set([1, 7]);

export interface TiffEntry {
  tag: number;
  type: number;
  count: number;
  /** The value or its offset, as stored: 4 bytes, in BigTIFF 8. */
  field: Buffer;
}

export interface TiffDirectory {
  entries: ReadonlyMap<number, TiffEntry>;
  /** The first values of an entry with integers, by default 64; empty if there is none. */
  values(tag: number, limit?: number): number[];
  /** The first value of an entry with integers; undefined if there is none. */
  value(tag: number): number | undefined;
  /** The bytes of an entry with bytes; null if there is none or it is too large. */
  bytes(tag: number): Buffer | null;
}

export interface TiffFile {
  isBig: boolean;
  isLittleEndian: boolean;
  /** The chain of directories that starts in the file's header. */
  pages: TiffDirectory[];
  /** The directories below the pages. */
  children: TiffDirectory[];
}

/** Whether the file begins as a TIFF does. */
export const isTiff = ({ fd, sizeBytes }: Pick<WorkingCopy, 'fd' | 'sizeBytes'>): boolean => TiffReader.open(fd, sizeBytes) !== null;

/** @returns null if the file is no TIFF or its first directory cannot be read */
export function readTiff({ fd, sizeBytes }: Pick<WorkingCopy, 'fd' | 'sizeBytes'>): TiffFile | null {
  const reader = TiffReader.open(fd, sizeBytes);
  if (reader === null) return null;
  const pages = reader.readChain(reader.firstOffset);
  if (pages.length === 0) return null;
  const children = reader.readChildren(pages, 1);
  return { isBig: reader.isBig, isLittleEndian: reader.isLittleEndian, pages, children };
}

class TiffReader {
  private readonly seenOffsets = new Set<number>();

  private constructor(
    private readonly fd: number,
    private readonly sizeBytes: number,
    readonly isBig: boolean,
    readonly isLittleEndian: boolean,
    readonly firstOffset: number,
  ) {}

  static open(fd: number, sizeBytes: number): TiffReader | null {
    const head = readBytes(fd, 0, 16);
    if (head.length < 8) return null;
    const order = head.toString('latin1', 0, 2);
    if (order !== 'II' && order !== 'MM') return null;
    const isLittleEndian = order === 'II';
    const magic = unsigned(head, 2, 2, isLittleEndian);
    if (magic === 42) return new TiffReader(fd, sizeBytes, false, isLittleEndian, unsigned(head, 4, 4, isLittleEndian));
    if (magic !== 43 || head.length < 16) return null;
    return new TiffReader(fd, sizeBytes, true, isLittleEndian, unsigned(head, 8, 8, isLittleEndian));
  }

  /** Reads directories that follow each other. Ends at the first one that was read before or cannot be read. */
  readChain(offset: number): TiffDirectory[] {
    const found: TiffDirectory[] = [];
    for (let next = offset; next !== 0 && this.seenOffsets.size < MAX_DIRECTORIES && !this.seenOffsets.has(next);) {
      this.seenOffsets.add(next);
      const read = this.readDirectory(next);
      if (read === null) break;
      found.push(read.directory);
      next = read.next;
    }
    return found;
  }

  /** The directories that these directories name, and those below. */
  readChildren(parents: readonly TiffDirectory[], depth: number): TiffDirectory[] {
    const own = parents.flatMap((parent) => parent.values(TAG.subDirectories).flatMap((offset) => this.readChain(offset)));
    return own.length === 0 || depth >= MAX_DEPTH ? own : [...own, ...this.readChildren(own, depth + 1)];
  }

  private readDirectory(offset: number): { directory: TiffDirectory; next: number } | null {
    const countBytes = this.isBig ? 8 : 2;
    const entryBytes = this.isBig ? 20 : 12;
    const fieldBytes = this.isBig ? 8 : 4;
    const count = this.readNumber(offset, countBytes);
    if (count === null || count === 0) return null;
    const readCount = Math.min(count, MAX_ENTRIES);
    const bytes = readBytes(this.fd, offset + countBytes, readCount * entryBytes);
    if (bytes.length < readCount * entryBytes) return null;
    const entries = new Map<number, TiffEntry>();
    for (let at = 0; at + entryBytes <= bytes.length; at += entryBytes) {
      const tag = this.unsigned(bytes, at, 2);
      const field = bytes.subarray(at + entryBytes - fieldBytes, at + entryBytes);
      // The first entry of a tag counts, as in libtiff.
      if (!entries.has(tag))
        entries.set(tag, { tag, type: this.unsigned(bytes, at + 2, 2), count: this.unsigned(bytes, at + 4, fieldBytes), field });
    }
    const values = (tag: number, limit = MAX_VALUES): number[] => this.readValues(entries.get(tag), limit);
    const bytesOf = (tag: number): Buffer | null => this.readEntryBytes(entries.get(tag));
    const directory = { entries, values, value: (tag: number) => values(tag)[0], bytes: bytesOf };
    return { directory, next: this.readNumber(offset + countBytes + count * entryBytes, fieldBytes) ?? 0 };
  }

  private readValues(entry: TiffEntry | undefined, limit: number): number[] {
    const size = INTEGER_SIZES.get(entry?.type ?? 0);
    if (entry === undefined || size === undefined || entry.count === 0) return [];
    const count = Math.min(entry.count, limit);
    const isInline = entry.count * size <= entry.field.length;
    const bytes = isInline ? entry.field : readBytes(this.fd, this.unsigned(entry.field, 0, entry.field.length), count * size);
    return Array.from({ length: Math.min(count, Math.floor(bytes.length / size)) }, (_, index) => this.unsigned(bytes, index * size, size));
  }

  private readEntryBytes(entry: TiffEntry | undefined): Buffer | null {
    if (entry === undefined || !BYTE_TYPES.has(entry.type) || entry.count <= entry.field.length || entry.count > MAX_ENTRY_BYTES)
      return null;
    return readBytes(this.fd, this.unsigned(entry.field, 0, entry.field.length), entry.count);
  }

  private readNumber(offset: number, size: number): number | null {
    if (offset + size > this.sizeBytes) return null;
    const bytes = readBytes(this.fd, offset, size);
    return bytes.length < size ? null : this.unsigned(bytes, 0, size);
  }

  private unsigned(bytes: Buffer, at: number, size: number): number {
    return unsigned(bytes, at, size, this.isLittleEndian);
  }
}

/** Fewer bytes at the end of the file, and none for an offset outside of it. */
function readBytes(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  if (!Number.isSafeInteger(offset)) return Buffer.alloc(0);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, offset));
}

function unsigned(bytes: Buffer, at: number, size: number, isLittleEndian: boolean): number {
  if (size === 8) return Number(isLittleEndian ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
  return isLittleEndian ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
}
