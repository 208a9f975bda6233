import { createDirectory, writeZip } from '../../../src/http/zip';
import { readZip } from '../../support/zip';

describe('a ZIP', () => {
  const modifiedAt = new Date('2026-03-05T10:30:20Z');
  async function collect(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
  async function* chunksOf(...texts: string[]): AsyncGenerator<Buffer> {
    for (const text of texts) yield Buffer.from(text);
  }

  it('has the content, checksum and size of each entry', async () => {
    const zip = await collect(
      writeZip([
        { name: 'a.tif', modifiedAt, open: async () => chunksOf('du', 'nes') },
        { name: 'empty.tif', modifiedAt, open: async () => chunksOf() },
        { name: 'b.tif', modifiedAt, open: async () => chunksOf('sea') },
      ]),
    );
    expect(readZip(zip)).toEqual({ 'a.tif': 'dunes', 'empty.tif': '', 'b.tif': 'sea' });
  });

  it('has entries larger than a block', async () => {
    const picture = 'dunes'.repeat(30_000);
    const zip = await collect(writeZip([{ name: 'a.tif', modifiedAt, open: async () => chunksOf(picture, 'sea') }]));
    expect(readZip(zip)).toEqual({ 'a.tif': `${picture}sea` });
  });

  it('that fails has no directory', async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield Buffer.from('du');
      throw new Error('the store broke');
    }
    const chunks: Buffer[] = [];
    const reading = (async () => {
      for await (const chunk of writeZip([{ name: 'a.tif', modifiedAt, open: async () => failing() }])) chunks.push(chunk);
    })();
    await expect(reading).rejects.toThrow('the store broke');
    expect(Buffer.concat(chunks).includes(Buffer.from([0x50, 0x4b, 1, 2]))).toBe(false);
  });

  it('beyond 4 GiB has 64-bit positions', () => {
    const offset = 5 * 2 ** 32;
    const directory = createDirectory([{ name: 'a', modifiedAt, crc: 1, sizeBytes: 2, compressedBytes: 7, offset }], offset + 100);
    expect(directory.readUInt32LE(42)).toBe(0xffff_ffff);
    expect([directory.readUInt16LE(47), directory.readUInt16LE(49), directory.readBigUInt64LE(51)]).toEqual([1, 8, BigInt(offset)]);
    const locator = directory.lastIndexOf(Buffer.from([0x50, 0x4b, 6, 7]));
    const end64 = Number(directory.readBigUInt64LE(locator + 8)) - (offset + 100);
    expect([directory.readUInt32LE(end64), directory.readBigUInt64LE(end64 + 48)]).toEqual([0x0606_4b50, BigInt(offset + 100)]);
  });
});
