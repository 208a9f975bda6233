/**
 * Writes ZIP files as a stream. Pictures are compressed already, so their bytes are DEFLATE blocks without compression (RFC 1951, section
 * 3.2.4). Entries of the method "stored" have no end that a program could find without the directory.
 */
import { crc32 } from 'node:zlib';

export interface ZipEntry {
  /** ASCII, without folders. */
  name: string;
  modifiedAt: Date;
  /** Called when the entry is written. It may have at most 4 GiB. */
  open(): Promise<AsyncIterable<Buffer>>;
}

/** The position of an entry, for the directory at the end. */
export interface WrittenEntry extends Pick<ZipEntry, 'name' | 'modifiedAt'> {
  crc: number;
  sizeBytes: number;
  compressedBytes: number;
  offset: number;
}

/** ZIP 4.5, which has 64-bit positions. */
const VERSION = 45;
/** Sizes and checksum follow the content. */
const FLAGS = 0x0008;
const DEFLATED = 8;
/** A block has at most 65,535 bytes. This divides the chunks of file streams, 65,536 bytes, evenly. */
const BLOCK_BYTES = 0x8000;
const MAX_32_BITS = 0xffff_ffff;
const MAX_16_BITS = 0xffff;

/** The bytes of a ZIP file with these entries. If an entry fails, so does the stream, before the directory that completes the file. */
export async function* writeZip(entries: readonly ZipEntry[]): AsyncGenerator<Buffer> {
  const written: WrittenEntry[] = [];
  let offset = 0;
  for (const entry of entries) {
    const head = localHeader(entry);
    yield head;
    let [crc, sizeBytes, compressedBytes] = [0, 0, 0];
    for await (const chunk of await entry.open()) {
      crc = crc32(chunk, crc);
      sizeBytes += chunk.length;
      for (const part of uncompressedBlocks(chunk)) {
        compressedBytes += part.length;
        yield part;
      }
    }
    const last = blockHead(0, true);
    yield last;
    compressedBytes += last.length;
    yield fields([4, 0x0807_4b50], [4, crc], [4, compressedBytes], [4, sizeBytes]);
    written.push({ name: entry.name, modifiedAt: entry.modifiedAt, crc, sizeBytes, compressedBytes, offset });
    offset += head.length + compressedBytes + 16;
  }
  yield createDirectory(written, offset);
}

function* uncompressedBlocks(chunk: Buffer): Generator<Buffer> {
  for (let at = 0; at < chunk.length; at += BLOCK_BYTES) {
    const block = chunk.subarray(at, at + BLOCK_BYTES);
    yield blockHead(block.length, false);
    yield block;
  }
}

/** The head of a DEFLATE block without compression: whether it is the last, its length, and the complement of the length. */
function blockHead(length: number, isLast: boolean): Buffer {
  const head = Buffer.from([isLast ? 1 : 0, 0, 0, 0, 0]);
  head.writeUInt16LE(length, 1);
  head.writeUInt16LE(length ^ MAX_16_BITS, 3);
  return head;
}

function localHeader({ name, modifiedAt }: ZipEntry): Buffer {
  const names = Buffer.from(name);
  const head = fields(
    [4, 0x0403_4b50],
    [2, VERSION],
    [2, FLAGS],
    [2, DEFLATED],
    ...dosTime(modifiedAt),
    [4, 0],
    [4, 0],
    [4, 0],
    [2, names.length],
    [2, 0],
  );
  return Buffer.concat([head, names]);
}

/** The directory of the entries. @param startsAt its position in the file */
export function createDirectory(entries: readonly WrittenEntry[], startsAt: number): Buffer {
  const rows = entries.map(directoryRow);
  const size = rows.reduce((total, row) => total + row.length, 0);
  const count = entries.length;
  const end64 = fields(
    [4, 0x0606_4b50],
    [8, 44],
    [2, VERSION],
    [2, VERSION],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, size],
    [8, startsAt],
  );
  const locator = fields([4, 0x0706_4b50], [4, 0], [8, startsAt + size], [4, 1]);
  const shortCount = Math.min(count, MAX_16_BITS);
  const shortStart = Math.min(startsAt, MAX_32_BITS);
  const end = fields([4, 0x0605_4b50], [2, 0], [2, 0], [2, shortCount], [2, shortCount], [4, size], [4, shortStart], [2, 0]);
  return Buffer.concat([...rows, ...(startsAt > MAX_32_BITS ? [end64, locator] : []), end]);
}

function directoryRow({ name, modifiedAt, crc, sizeBytes, compressedBytes, offset }: WrittenEntry): Buffer {
  const names = Buffer.from(name);
  const extra = offset > MAX_32_BITS ? fields([2, 1], [2, 8], [8, offset]) : Buffer.alloc(0);
  const row = fields(
    [4, 0x0201_4b50],
    [2, VERSION],
    [2, VERSION],
    [2, FLAGS],
    [2, DEFLATED],
    ...dosTime(modifiedAt),
    [4, crc],
    [4, compressedBytes],
    [4, sizeBytes],
    [2, names.length],
    [2, extra.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, Math.min(offset, MAX_32_BITS)],
  );
  return Buffer.concat([row, names, extra]);
}

type Field = readonly [bytes: 2 | 4 | 8, value: number];

/** Time and day as in MS-DOS, in UTC. */
const dosTime = (at: Date): [Field, Field] => [
  [2, (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)],
  [2, (Math.max(0, at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()],
];

/** Little-endian integers. */
function fields(...list: readonly Field[]): Buffer {
  const bytes = Buffer.alloc(list.reduce((total, [size]) => total + size, 0));
  let at = 0;
  for (const [size, value] of list) {
    if (size === 8) bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeUIntLE(value, at, size);
    at += size;
  }
  return bytes;
}
