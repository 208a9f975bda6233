import { crc32, inflateRawSync } from 'node:zlib';

/** The files of a ZIP by its directory. Each must also end where a program finds its end that reads the ZIP as a stream. */
export function readZip(zip: Buffer): Record<string, string> {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  let at = zip.readUInt32LE(end + 16);
  return Object.fromEntries(
    Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
      const [method, crc, compressedSize, size, nameLength, extraLength, offset] = [
        zip.readUInt16LE(at + 10),
        zip.readUInt32LE(at + 16),
        zip.readUInt32LE(at + 20),
        zip.readUInt32LE(at + 24),
        zip.readUInt16LE(at + 28),
        zip.readUInt16LE(at + 30),
        zip.readUInt32LE(at + 42),
      ];
      const name = zip.subarray(at + 46, at + 46 + nameLength).toString();
      at += 46 + nameLength + extraLength;
      const data = zip.subarray(offset + 30 + zip.readUInt16LE(offset + 26));
      const { content, read } = inflate(data);
      expect([zip.readUInt32LE(offset), method, zip.readUInt16LE(offset + 8)]).toEqual([0x0403_4b50, 8, 8]);
      expect([crc32(content), content.length, read]).toEqual([crc, size, compressedSize]);
      expect([data.readUInt32LE(read), data.readUInt32LE(read + 8), data.readUInt32LE(read + 12)]).toEqual([0x0807_4b50, read, size]);
      return [name, content.toString()];
    }),
  );
}

/** Decompresses up to the end of the stream. `read` is the number of its bytes. */
function inflate(data: Buffer): { content: Buffer; read: number } {
  const { buffer, engine } = inflateRawSync(data, { info: true }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
  return { content: buffer, read: engine.bytesWritten };
}
