import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { DECODER_VERSION } from '../../../src/domain/inspection';
import { decode } from '../../../src/inspection/decoder-process';
import { Inspector } from '../../../src/inspection/inspector';
import { Workspace } from '../../../src/inspection/workspace';
import { createLogger } from '../../../src/platform/logger';
import { decoderPath } from '../../support/infrastructure';
import { aHeic, aLargeEmptyPng, aPicture, aPngThatClaims } from '../../support/pictures';

describe('the inspection of bytes (ruling 60)', () => {
  let folder: string;
  let inspector: Inspector;
  const logged: string[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'inspection-'));
    inspector = await Inspector.open(folder, createLogger('info', 'test', { write: (line) => void logged.push(line) }), {
      program: decoderPath(),
    });
  });
  afterAll(async () => {
    await inspector.close();
    await rm(folder, { recursive: true });
  });

  const filesOf = (name: string) => ({
    file: path.join(folder, name),
    preview: path.join(folder, `${name}.webp`),
    smallPreview: path.join(folder, `${name}-small.webp`),
  });
  const inspect = (bytes: Buffer) => inspector.inspect(Readable.from([bytes]), new AbortController().signal);

  it('a photograph taken sideways: pixels and preview in the viewing direction', async () => {
    const { found, previews } = await inspect(await aPicture(3000, 2000).jpeg().withMetadata({ orientation: 6 }).toBuffer());
    expect(found).toEqual({
      state: 'ok',
      reason: null,
      mediaType: 'image/jpeg',
      widthPx: 2000,
      heightPx: 3000,
      orientation: 6,
      colourSpace: 'srgb',
      hasProfile: true,
      hasAlpha: false,
      pages: 1,
      extraChannels: 0,
      decoderVersion: DECODER_VERSION,
    });
    const seen = await sharp(previews?.large ?? '').metadata();
    expect([seen.format, seen.width, seen.height, seen.orientation]).toEqual(['webp', 1067, 1600, undefined]);
    const small = await sharp(previews?.small ?? '').metadata();
    expect([small.format, small.width, small.height]).toEqual(['webp', 213, 320]);
    // The former left side is at the top.
    const { data } = await sharp(previews?.large ?? '')
      .resize(1, 2, { fit: 'fill' })
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[0]).toBeLessThan(60);
    expect(data[1]).toBeGreaterThan(190);
  });

  it.each([3, 4, 5, 7, 8])('orientation %d matches any viewer', async (orientation) => {
    const corner = { input: { create: { width: 20, height: 10, channels: 3 as const, background: 'red' } }, left: 0, top: 0 };
    const lying = await aPicture(60, 40).composite([corner]).png().toBuffer();
    const bytes = await sharp(lying).withMetadata({ orientation }).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
    const { found, previews } = await inspect(bytes);
    const shown = await sharp(bytes).autoOrient().raw().toBuffer({ resolveWithObject: true });
    const ours = await sharp(previews?.large ?? '')
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([found.widthPx, found.heightPx]).toEqual([shown.info.width, shown.info.height]);
    expect([ours.info.width, ours.info.height]).toEqual([shown.info.width, shown.info.height]);
    const apart = ours.data.reduce((sum, value, index) => sum + Math.abs(value - (shown.data[index] ?? 0)), 0) / ours.data.length;
    expect(apart).toBeLessThan(12);
  });

  it.each([
    [
      'PNG with alpha',
      () => aPicture(40, 30).ensureAlpha(0.5).png().toBuffer(),
      { mediaType: 'image/png', hasAlpha: true, colourSpace: 'srgb' },
    ],
    ['WebP', () => aPicture(40, 30).webp().toBuffer(), { mediaType: 'image/webp' }],
    ['CMYK JPEG', () => aPicture(40, 30).toColourspace('cmyk').jpeg().toBuffer(), { mediaType: 'image/jpeg', colourSpace: 'cmyk' }],
    ['CMYK TIFF', () => aPicture(40, 30).toColourspace('cmyk').tiff().toBuffer(), { mediaType: 'image/tiff', colourSpace: 'cmyk' }],
    ['16-bit PNG', () => aPicture(40, 30).toColourspace('rgb16').png().toBuffer(), { mediaType: 'image/png', colourSpace: 'rgb16' }],
    ['a grey PNG', () => aPicture(40, 30).toColourspace('b-w').png().toBuffer(), { mediaType: 'image/png', colourSpace: 'b-w' }],
  ])('%s has a preview in sRGB', async (_name, make, expected) => {
    const { found, previews } = await inspect(await make());
    expect(found).toMatchObject({ state: 'ok', widthPx: 40, heightPx: 30, ...expected });
    const { format, space } = await sharp(previews?.large ?? '').metadata();
    expect([format, space]).toEqual(['webp', 'srgb']);
  });

  it('HEIC has a readable header and no preview, which is not an error', async () => {
    const { found, previews } = await inspect(aHeic(4032, 3024));
    expect(found).toMatchObject({ state: 'no_preview', mediaType: 'image/heic', widthPx: 4032, heightPx: 3024 });
    expect(found.reason).toContain('HEIC');
    expect(previews).toBeNull();
  });

  it.each([
    ['half a JPEG', async () => firstHalf(await aPicture(800, 600).jpeg().toBuffer()), /damaged or incomplete/, 'image/jpeg'],
    [
      'half a PNG',
      async () => firstHalf(await aPicture(800, 600).png({ compressionLevel: 0 }).toBuffer()),
      /damaged or incomplete/,
      'image/png',
    ],
    ['a truncated TIFF', async () => firstHalf(await aPicture(800, 600).tiff({ compression: 'none' }).toBuffer()), /./, undefined],
    ['a bomb', () => aPngThatClaims(60_000, 60_000), /60000 × 60000 pixels/, 'image/png'],
    ['only a JPEG header', async () => (await aPicture(80, 60).jpeg().toBuffer()).subarray(0, 30), /header/, 'image/jpeg'],
    ['only the name of HEIC', async () => Buffer.from('\0\0\0\x10ftypheic\0\0\0\0', 'latin1'), /ends too early/, 'image/heic'],
    [
      'SVG',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      /JPEG, PNG, WebP, TIFF or HEIC/,
      undefined,
    ],
    [
      'SVG with an XML declaration',
      async () => Buffer.from('<?xml version="1.0"?><svg width="9" height="9"/>'),
      /application\/xml/,
      undefined,
    ],
    ['PDF', async () => Buffer.from('%PDF-1.7\n1 0 obj\n'), /application\/pdf/, 'application/pdf'],
    ['GIF', async () => aPicture(20, 20).gif().toBuffer(), /image\/gif, which cannot be printed/, 'image/gif'],
    ['text', async () => Buffer.from('no picture at all'), /not a known picture format/, null],
    ['nothing', async () => Buffer.alloc(0), /not a known picture format/, null],
  ])('%s is no picture', async (_name, make, reason, mediaType) => {
    const { found, previews } = await inspect(await make());
    expect(found.state).toBe('unreadable');
    expect(found.reason).toMatch(reason);
    expect(found.reason).not.toContain(folder);
    if (mediaType !== undefined) expect(found.mediaType).toBe(mediaType);
    expect(previews).toBeNull();
  });

  it('more pixels than the limit are refused by the header, with the declared number', async () => {
    const { found, previews } = await inspect(aLargeEmptyPng(25_000, 20_001));
    expect(found).toMatchObject({ state: 'unreadable', mediaType: 'image/png', widthPx: 25_000, heightPx: 20_001 });
    expect(found.reason).toBe('its header declares 25000 × 20001 pixels; the limit is 500 million');
    expect(previews).toBeNull();
  });

  it('pixels that need too much memory are not decoded, and the program ends', async () => {
    const files = filesOf('large.png');
    await aPicture(6000, 6000).png({ compressionLevel: 1, progressive: true }).toFile(files.file);
    const bounds = { cpuSeconds: 60, timeMs: 60_000, memoryBytes: 120 * 1024 * 1024 };
    const { found, previews } = await decode(files, new AbortController().signal, { program: decoderPath(), bounds });
    expect(found).toMatchObject({ state: 'no_preview', widthPx: 6000, heightPx: 6000, reason: expect.stringMatching(/120 MB|memory/) });
    expect(previews).toBeNull();
  });

  it('a program that fails is an error of the service, never of the picture', async () => {
    const program = path.join(folder, 'no-program.js');
    const files = filesOf('any.png');
    await aPicture(4, 3).png().toFile(files.file);
    await expect(decode(files, new AbortController().signal, { program })).rejects.toThrow(/failed .*no-program/s);
  });

  it('ends at once when it is stopped, and leaves no file', async () => {
    const stop = new AbortController();
    const looking = inspector.inspect(Readable.from([await aPicture(3000, 3000).png().toBuffer()]), stop.signal);
    stop.abort();
    await expect(looking).rejects.toThrow(/abort/i);
    const [own = ''] = (await readdir(folder)).filter((name) => name.startsWith(String(process.pid)));
    expect(await readdir(path.join(folder, own))).toEqual([]);
  });

  it('a starting process deletes files of an ended one, and keeps those of a running one', async () => {
    const shared = await mkdtemp(path.join(folder, 'shared-'));
    const dead = await Workspace.open(shared);
    const [name = ''] = await readdir(shared);
    const alive = `${process.ppid}-0000000000000000`;
    const { mkdir } = await import('node:fs/promises');
    await mkdir(path.join(shared, alive));
    const next = await Workspace.open(shared);
    expect(await readdir(shared)).not.toContain(name);
    expect(await readdir(shared)).toContain(alive);
    await Promise.all([dead.close(), next.close()]);
  });

  it('reports its memory use', () => {
    expect(logged.some((line) => /"peaks":\{"header":\d+,"preview":\d+\}/.test(line))).toBe(true);
  });
});

const firstHalf = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2);
