/** Renders pictures with libvips: small, in sRGB, in the viewing direction. */
import sharp from 'sharp';
import { PREVIEW_PX, SMALL_PREVIEW_PX } from '../../domain/inspection';
import type { SampleType } from './tiff';
import { encodeTiff, type Pixels } from './tiff-writer';

/** Why a picture has no preview. `damaged`: its pixels are damaged or incomplete. */
export type RenderFailure = { failure: 'damaged' | 'memory' | 'unsupported'; details: string };

export interface PreviewPixels {
  data: Buffer;
  info: { width: number; height: number; channels: 1 | 2 | 3 | 4 };
}

/** Messages about files that libvips and its libraries do not support. */
const UNSUPPORTED =
  /unsupported|not supported|not implemented|not configured|not been built|no known route|not a whole number|unknown compression|unimplemented/i;
/** Messages about files that end too early or whose data is wrong. */
const DAMAGED =
  /premature end|bad huffman|end of (file|stream|input)|ends? too early|truncated|corrupt|decod(e|ing) error|read error|bad (scanline|chunk)|bogus|unable to (read|parse|decode)|incorrect (data|header)|crc|not enough data|read gave|not yet in table|zlib error|unrecognized error/i;

const sharpOptions = (maxPixels: number) =>
  ({ sequentialRead: true, limitInputPixels: maxPixels, limitInputChannels: 0, failOn: 'error' }) as const;
/** A warning of libjpeg about lost pixels. Its other warnings, such as surplus bytes, are no damage. */
const LOST_PIXELS = /premature end of data|bad huffman/i;

/** Runs libvips on an untrusted file. */
export async function catchFailure<T>(render: () => Promise<T>): Promise<T | RenderFailure> {
  try {
    return await render();
  } catch (error) {
    // A full disk is not the file's fault.
    if (error instanceof Error && 'syscall' in error) throw error;
    // sharp's own prefix says nothing about the file.
    const details = (error instanceof Error ? error.message : String(error)).replace(/^Input (file|buffer) has corrupt header: /, '');
    if (/memory/i.test(details)) return { failure: 'memory', details };
    return { failure: !UNSUPPORTED.test(details) && DAMAGED.test(details) ? 'damaged' : 'unsupported', details };
  }
}

/**
 * Decodes a picture at the preview's size, in sRGB and without rotation.
 * @param isDeepRgb whether it has 16-bit RGB samples and a profile, which sharp converts to P3 unless an output profile is named
 */
export async function renderAtPreviewSize(
  input: string | Buffer,
  {
    maxPixels,
    isDeepRgb,
    isTiff,
    failOn = 'error',
  }: { maxPixels: number; isDeepRgb: boolean; isTiff: boolean; failOn?: 'error' | 'warning' },
): Promise<PreviewPixels> {
  const picture = sharp(input, { ...sharpOptions(maxPixels), failOn, unlimited: isTiff })
    .resize({ width: PREVIEW_PX, height: PREVIEW_PX, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  const { data, info } = await (isDeepRgb ? picture.withIccProfile('srgb') : picture).raw().toBuffer({ resolveWithObject: true });
  return { data, info: info as PreviewPixels['info'] };
}

/** Decodes a JPEG. libjpeg fills lost pixels with gray and only warns. */
export async function renderJpeg(file: string, maxPixels: number): Promise<PreviewPixels> {
  const options = { maxPixels, isDeepRgb: false, isTiff: false };
  try {
    return await renderAtPreviewSize(file, { ...options, failOn: 'warning' });
  } catch (error) {
    if (error instanceof Error && LOST_PIXELS.test(error.message)) throw error;
    return renderAtPreviewSize(file, options);
  }
}

const VIPS_FORMATS = {
  uint8: 'uchar',
  int8: 'char',
  uint16: 'ushort',
  int16: 'short',
  uint32: 'uint',
  float32: 'float',
} as const;

/** All channels of a picture without their meaning, at the preview's size. */
export interface Channels {
  width: number;
  height: number;
  count: number;
  samples: ArrayLike<number>;
}

/** Reads channels that libvips has as `multiband`, or as gray with 16 bits. */
export async function readChannels(
  file: string,
  type: SampleType | 'int8' | 'int16',
  { maxPixels, space, isTiff }: { maxPixels: number; space: 'multiband' | 'grey16'; isTiff: boolean },
): Promise<Channels> {
  const { data, info } = await sharp(file, { ...sharpOptions(maxPixels), unlimited: isTiff })
    .resize({ width: PREVIEW_PX, height: PREVIEW_PX, fit: 'inside', withoutEnlargement: true })
    .toColourspace(space)
    .raw({ depth: VIPS_FORMATS[type] })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, count: info.channels, samples: toSamples(data, type) };
}

function toSamples(data: Buffer, type: SampleType | 'int8' | 'int16'): ArrayLike<number> {
  const bytes = new Uint8Array(data).buffer;
  const arrays = {
    uint8: Uint8Array,
    int8: Int8Array,
    uint16: Uint16Array,
    int16: Int16Array,
    uint32: Uint32Array,
    float32: Float32Array,
  };
  return new arrays[type](bytes);
}

/** Decodes every strip of a file and keeps nothing. */
export async function decodeAll(file: string, maxPixels: number): Promise<void> {
  await sharp(file, { ...sharpOptions(maxPixels), unlimited: true })
    .resize(8, 8, { fit: 'fill', kernel: 'nearest' })
    .toColourspace('multiband')
    .raw()
    .toBuffer();
}

/** Converts pixels in memory to sRGB, by their profile. */
export function renderPixels(pixels: Pixels, maxPixels: number): Promise<PreviewPixels> {
  const isDeepRgb = pixels.bits === 16 && pixels.profile !== null;
  return renderAtPreviewSize(encodeTiff(pixels), { maxPixels, isDeepRgb, isTiff: true });
}

/** Pictures with fewer pixels are stored without loss, because WebP's color subsampling shows in them. */
const LOSSLESS_PIXELS = 250_000;

/**
 * Writes the previews. Errors are faults of this service, because the pixels are decoded.
 * @param isSubsampled whether the file stores color at a lower resolution, as JPEG does
 */
export async function writePreviews(
  { data, info }: PreviewPixels,
  { orientation, isSubsampled, files }: { orientation: number; isSubsampled: boolean; files: { large: string; small: string } },
): Promise<void> {
  const upright = orientation === 1 ? { data, info } : await turn({ data, info }, orientation);
  const { width, height } = upright.info;
  const picture = (): sharp.Sharp => sharp(upright.data, { raw: upright.info });
  const isLossless = width * height < LOSSLESS_PIXELS;
  await picture()
    .webp(isLossless ? { lossless: true } : { quality: 82, smartSubsample: !isSubsampled, effort: 3 })
    .toFile(files.large);
  const small = { width: SMALL_PREVIEW_PX, height: SMALL_PREVIEW_PX, fit: 'inside', withoutEnlargement: true } as const;
  await picture()
    .resize(small)
    .webp(isLossless ? { lossless: true } : { quality: 82, effort: 2 })
    .toFile(files.small);
}

/** Applies EXIF's orientation. sharp first mirrors, then rotates. */
async function turn({ data, info: raw }: PreviewPixels, orientation: number): Promise<PreviewPixels> {
  const degrees = [0, 0, 0, 180, 180, 270, 90, 90, 270][orientation] ?? 0;
  const picture = sharp(data, { raw });
  const rotated = degrees === 0 ? picture : picture.rotate(degrees);
  const mirrored = [2, 4, 5, 7].includes(orientation) ? rotated.flop() : rotated;
  const { data: turned, info } = await mirrored.raw().toBuffer({ resolveWithObject: true });
  return { data: turned, info: { width: info.width, height: info.height, channels: raw.channels } };
}
