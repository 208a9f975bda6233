import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { findPicture } from '../../../src/inspection/formats/tiff';
import { readTiff, TAG, type TiffFile } from '../../../src/inspection/formats/tiff-directory';
import { encodeTiff } from '../../../src/inspection/formats/tiff-writer';
import { WorkingCopy } from '../../../src/inspection/formats/working-copy';
import { propertyRuns } from '../../support/property-runs';

const folder = mkdtempSync(path.join(tmpdir(), 'tiff-'));
afterAll(() => {
  opened?.close();
  rmSync(folder, { recursive: true });
});

let opened: WorkingCopy | undefined;

/** The file stays open until the next one, because values are read when they are needed. */
function read(bytes: Buffer): TiffFile | null {
  const file = path.join(folder, 'picture.tif');
  writeFileSync(file, bytes);
  opened?.close();
  opened = WorkingCopy.open(file, bytes.length);
  return readTiff(opened);
}

const picture = encodeTiff({
  width: 3,
  height: 2,
  bits: 8,
  photometric: 2,
  channels: 4,
  alpha: 2,
  profile: Buffer.from('a profile of more than four bytes'),
  data: new Uint8Array(24),
});

/** A file with directories at these offsets: each has these entries (tag, LONG value) and names the next directory. */
function chain(directories: readonly { at: number; entries: readonly [number, number][]; next: number }[]): Buffer {
  const bytes = Buffer.alloc(4096);
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(directories[0]?.at ?? 0, 4);
  for (const { at, entries, next } of directories) {
    bytes.writeUInt16LE(entries.length, at);
    for (const [index, [tag, value]] of entries.entries()) {
      const entry = at + 2 + 12 * index;
      bytes.writeUInt16LE(tag, entry);
      bytes.writeUInt16LE(4, entry + 2);
      bytes.writeUInt32LE(1, entry + 4);
      bytes.writeUInt32LE(value, entry + 8);
    }
    bytes.writeUInt32LE(next, at + 2 + 12 * entries.length);
  }
  return bytes;
}

const SIZE: readonly [number, number][] = [
  [TAG.width, 10],
  [TAG.height, 10],
];

describe('the directories of a TIFF', () => {
  it('are read with their values', () => {
    const found = read(picture);
    expect(found?.pages).toHaveLength(1);
    expect(found?.pages[0]?.values(TAG.bitsPerSample)).toEqual([8, 8, 8, 8]);
    expect(found?.pages[0]?.bytes(TAG.iccProfile)?.toString()).toBe('a profile of more than four bytes');
    expect(found && findPicture(found)).toMatchObject({ width: 3, height: 2, alpha: { channel: 3, kind: 2 }, extraChannels: 0, pages: 1 });
  });

  it.each([
    ['names itself as the next one', [{ at: 8, entries: SIZE, next: 8 }], 1],
    [
      'names an earlier one',
      [
        { at: 8, entries: SIZE, next: 100 },
        { at: 100, entries: SIZE, next: 8 },
      ],
      2,
    ],
    ['names itself as a child', [{ at: 8, entries: [...SIZE, [TAG.subDirectories, 8]], next: 0 }], 1],
    ['names a place behind the file', [{ at: 8, entries: SIZE, next: 4_000_000_000 }], 1],
  ] as [string, Parameters<typeof chain>[0], number][])('end when one %s', (_name, directories, pages) => {
    const found = read(chain(directories));
    expect([found?.pages.length, found?.children.length]).toEqual([pages, 0]);
  });

  it('have a bounded number and depth', () => {
    const long = Array.from({ length: 2000 }, (_, index) => ({ at: 8 + 2 * index, entries: [], next: 0 }));
    expect(read(chain(long.slice(0, 100)))).toBeNull();
    const nested = Array.from({ length: 20 }, (_, index) => {
      const at = 8 + 100 * index;
      return { at, entries: [...SIZE, [TAG.subDirectories, at + 100] as [number, number]], next: 0 };
    });
    expect(read(chain(nested))?.children).toHaveLength(3);
  });

  it('never throw for any bytes', () => {
    const damaged = fc.tuple(fc.nat(picture.length - 1), fc.uint8Array({ minLength: 1, maxLength: 40 })).map(([at, bytes]) => {
      const copy = Buffer.from(picture);
      copy.set(bytes.subarray(0, copy.length - at), at);
      return copy;
    });
    const any = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.concat([Buffer.from('MM\0+\0\x08\0\0', 'latin1'), bytes]));
    fc.assert(
      fc.property(fc.oneof(damaged, any), (bytes) => {
        const found = read(bytes);
        const described = found === null ? null : findPicture(found);
        if (described !== null) expect(described.width * described.height).toBeGreaterThan(0);
      }),
      propertyRuns(2000),
    );
  });
});
