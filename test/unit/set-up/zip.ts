import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  contents: Buffer;
  /** Instead of what is true, to be refused. */
  crc?: number;
  size?: number;
  packedSize?: number;
  method?: number;
  flags?: number;
  localName?: string;
}

/** A zip archive by hand, as the format's specification has it. */
export function zipOf(entries: ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const method = entry.method ?? 8;
    const packed = method === 8 ? deflateRawSync(entry.contents) : entry.contents;
    const fields = sizes(entry, method, packed);
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), u16(20), fields, nameOf(entry.localName ?? entry.name), packed]);
    const { name, lengths } = named(entry.name);
    directory.push(
      Buffer.concat([Buffer.from('504b0102', 'hex'), u16(20), u16(20), fields, lengths, u16(0), u16(0), u16(0), u32(0), u32(offset), name]),
    );
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.concat([
    Buffer.from('504b0506', 'hex'),
    u16(0),
    u16(0),
    u16(entries.length),
    u16(entries.length),
    u32(list.length),
    u32(offset),
    u16(0),
  ]);
  return Buffer.concat([...parts, list, end]);
}

/** From the flags to the sizes, the same in both headers. */
function sizes(entry: ZipEntry, method: number, packed: Buffer): Buffer {
  return Buffer.concat([
    u16(entry.flags ?? 0),
    u16(method),
    u16(0),
    u16(0x21),
    u32(entry.crc ?? crc32(entry.contents)),
    u32(entry.packedSize ?? packed.length),
    u32(entry.size ?? entry.contents.length),
  ]);
}

function named(text: string): { name: Buffer; lengths: Buffer } {
  const name = Buffer.from(text);
  return { name, lengths: Buffer.concat([u16(name.length), u16(0)]) };
}

function nameOf(text: string): Buffer {
  const { name, lengths } = named(text);
  return Buffer.concat([lengths, name]);
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
