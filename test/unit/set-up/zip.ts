import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  contents: Buffer;
}

/** A zip archive by hand, as the format's specification has it. */
export function zipOf(entries: ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, contents } of entries) {
    const packed = deflateRawSync(contents);
    // Flags, method, time, date, CRC, both sizes and the length of the name are the same in both headers.
    const fields = [u16(0), u16(8), u16(0), u16(0x21), u32(crc32(contents)), u32(packed.length), u32(contents.length), u16(name.length)];
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), u16(20), ...fields, u16(0), Buffer.from(name), packed]);
    const rest = [u16(0), u16(0), u16(0), u16(0), u32(0), u32(offset), Buffer.from(name)];
    directory.push(Buffer.concat([Buffer.from('504b0102', 'hex'), u16(20), u16(20), ...fields, ...rest]));
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const counts = [u16(0), u16(0), u16(entries.length), u16(entries.length)];
  return Buffer.concat([...parts, list, Buffer.from('504b0506', 'hex'), ...counts, u32(list.length), u32(offset), u16(0)]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
