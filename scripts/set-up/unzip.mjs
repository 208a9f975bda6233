// One file out of a zip archive, strictly: whatever does not add up is refused. Node has inflate, but no zip.

import { crc32, inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const END_SIZE = 22;
const ENTRY = 0x02014b50;
const ENTRY_SIZE = 46;
const LOCAL = 0x04034b50;
const LOCAL_SIZE = 30;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;
const MAX_SIZE = 1 << 30;

/**
 * @param {Buffer} zip @param {string} name the entry's full name
 * @returns {Buffer} its contents
 * @throws Error saying what is wrong with the archive
 */
export function readZipEntry(zip, name) {
  const directory = centralDirectory(zip);
  const found = entriesOf(directory.bytes, directory.count).filter((entry) => entry.name === name);
  if (found.length !== 1) throw new Error(`the zip has ${found.length} entries named ${name}`);
  return contentsOf(zip.subarray(0, directory.start), found[0]);
}

/** The list at the end of the archive. Archives in several parts and those above 4 GiB are not for us. */
function centralDirectory(zip) {
  const end = endRecord(zip);
  const [disk, startDisk, countHere, count] = [4, 6, 8, 10].map((at) => zip.readUInt16LE(end + at));
  const [size, start] = [12, 16].map((at) => zip.readUInt32LE(end + at));
  if (disk !== 0 || startDisk !== 0 || countHere !== count || start + size !== end)
    throw new Error('the zip has no whole central directory');
  return { bytes: zip.subarray(start, end), count, start };
}

/** Before a comment of a length that it names itself. */
function endRecord(zip) {
  for (let at = zip.length - END_SIZE; at >= Math.max(0, zip.length - END_SIZE - 0xffff); at -= 1) {
    if (zip.readUInt32LE(at) === END && at + END_SIZE + zip.readUInt16LE(at + 20) === zip.length) return at;
  }
  throw new Error('this is no zip, or it is cut off');
}

function entriesOf(directory, count) {
  const entries = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + ENTRY_SIZE > directory.length || directory.readUInt32LE(at) !== ENTRY)
      throw new Error("the zip's central directory is damaged");
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field));
    const nameEnd = at + ENTRY_SIZE + nameLength;
    entries.push({
      name: directory.toString('utf8', at + ENTRY_SIZE, nameEnd),
      flags: directory.readUInt16LE(at + 8),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      packedSize: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    });
    at = nameEnd + extraLength + commentLength;
  }
  if (at !== directory.length) throw new Error("the zip's central directory is damaged");
  return entries;
}

/** @param zip the archive up to its central directory, so that nothing is read from beyond */
function contentsOf(zip, entry) {
  const { name, offset, packedSize, size } = entry;
  if ((entry.flags & ENCRYPTED) !== 0 || size > MAX_SIZE) throw new Error(`${name} is encrypted or too large`);
  const start = dataStart(zip, entry);
  if (start + packedSize > zip.length) throw new Error(`${name} is cut off`);
  const contents = unpacked(zip.subarray(start, start + packedSize), entry);
  if (contents.length !== size || crc32(contents) !== entry.crc)
    throw new Error(`${name} does not have the size and CRC that the zip says (at ${offset})`);
  return contents;
}

/** Past the entry's local header, which repeats its name; its other fields may be zero and are not looked at. */
function dataStart(zip, { name, offset }) {
  const nameStart = offset + LOCAL_SIZE;
  const isHeader = nameStart <= zip.length && zip.readUInt32LE(offset) === LOCAL;
  const nameEnd = isHeader ? nameStart + zip.readUInt16LE(offset + 26) : 0;
  if (!isHeader || zip.toString('utf8', nameStart, nameEnd) !== name) throw new Error(`${name} is not where the zip says`);
  return nameEnd + zip.readUInt16LE(offset + 28);
}

function unpacked(packed, { name, method, size }) {
  if (method === STORED) return packed;
  if (method !== DEFLATED) throw new Error(`${name} is packed by method ${method}, which is not known here`);
  try {
    const { buffer, engine } = inflateRawSync(packed, { maxOutputLength: Math.max(size, 1), info: true });
    if (engine.bytesWritten === packed.length) return buffer;
  } catch (error) {
    throw new Error(`${name} cannot be unpacked: ${error.message}`, { cause: error });
  }
  throw new Error(`${name} ends before its packed bytes do`);
}
