import { crc32 } from 'node:zlib';

/** The files of a ZIP, read by its directory. */
export function readZip(zip: Buffer): Record<string, string> {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  let at = zip.readUInt32LE(end + 16);
  return Object.fromEntries(
    Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
      const [crc, size, nameLength, extraLength, offset] = [
        zip.readUInt32LE(at + 16),
        zip.readUInt32LE(at + 20),
        zip.readUInt16LE(at + 28),
        zip.readUInt16LE(at + 30),
        zip.readUInt32LE(at + 42),
      ];
      const name = zip.subarray(at + 46, at + 46 + nameLength).toString();
      at += 46 + nameLength + extraLength;
      const content = zip.subarray(offset + 30 + zip.readUInt16LE(offset + 26)).subarray(0, size);
      expect([zip.readUInt32LE(offset), crc32(content)]).toEqual([0x0403_4b50, crc]);
      return [name, content.toString()];
    }),
  );
}
