/**
 * TIFFs for libvips. The tags of the picture are judged here, because libvips takes unknown channels for transparency and shows a tile that
 * it cannot decode as black. libvips then gets a directory with only the tags that it needs.
 */
import { TAG, type TiffDirectory, type TiffFile } from './tiff-directory';

/** The tags that describe pixels. All others are left out for libvips, which refuses pictures for odd values in them. */
const PIXEL_TAGS: ReadonlySet<number> = new Set([
  TAG.width,
  TAG.height,
  TAG.bitsPerSample,
  TAG.compression,
  TAG.photometric,
  TAG.fillOrder,
  TAG.stripOffsets,
  TAG.samplesPerPixel,
  TAG.rowsPerStrip,
  TAG.stripByteCounts,
  TAG.planarConfiguration,
  TAG.faxOptions,
  TAG.fax4Options,
  TAG.predictor,
  TAG.colorMap,
  TAG.tileWidth,
  TAG.tileHeight,
  TAG.tileOffsets,
  TAG.tileByteCounts,
  TAG.inkSet,
  TAG.extraSamples,
  TAG.sampleFormat,
  TAG.jpegTables,
  TAG.yCbCrCoefficients,
  TAG.yCbCrSubsampling,
  TAG.yCbCrPositioning,
  TAG.referenceBlackWhite,
  TAG.iccProfile,
]);

/** Compressions that the decoder's libtiff reads. `test/proofs/artwork` tries each. */
const DECODED_COMPRESSIONS: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 7, 8, 32773, 32946, 50001]);

export const JPEG = 7;
const COMPRESSION_NAMES = new Map([
  [6, 'old JPEG'],
  [9, 'JBIG'],
  [10, 'JBIG'],
  [32766, 'NeXT'],
  [32771, 'CCITT RLE'],
  [32809, 'ThunderScan'],
  [32909, 'PixarLog'],
  [34661, 'JBIG'],
  [34676, 'SGI Log'],
  [34677, 'SGI Log'],
  [34712, 'JPEG 2000'],
  [33003, 'JPEG 2000'],
  [33005, 'JPEG 2000'],
  [34887, 'LERC'],
  [34892, 'lossy JPEG'],
  [34925, 'LZMA'],
  [34933, 'PNG'],
  [34934, 'JPEG XR'],
  [22610, 'JPEG XR'],
  [50000, 'ZSTD'],
  [34926, 'ZSTD'],
  [34927, 'WebP'],
  [50002, 'JPEG XL'],
  [52546, 'JPEG XL'],
]);

export const PHOTOMETRIC = {
  whiteIsZero: 0,
  blackIsZero: 1,
  rgb: 2,
  palette: 3,
  mask: 4,
  cmyk: 5,
  yCbCr: 6,
  cieLab: 8,
  iccLab: 9,
} as const;
const COLOR_CHANNELS = new Map<number, number>([
  [PHOTOMETRIC.whiteIsZero, 1],
  [PHOTOMETRIC.blackIsZero, 1],
  [PHOTOMETRIC.rgb, 3],
  [PHOTOMETRIC.palette, 1],
  [PHOTOMETRIC.mask, 1],
  [PHOTOMETRIC.cmyk, 4],
  [PHOTOMETRIC.yCbCr, 3],
  [PHOTOMETRIC.cieLab, 3],
  [PHOTOMETRIC.iccLab, 3],
]);
const SPACE_NAMES = new Map<number, [eightBits: string, sixteenBits: string, float: string]>([
  [PHOTOMETRIC.whiteIsZero, ['b-w', 'grey16', 'b-w']],
  [PHOTOMETRIC.blackIsZero, ['b-w', 'grey16', 'b-w']],
  [PHOTOMETRIC.rgb, ['srgb', 'rgb16', 'scrgb']],
  [PHOTOMETRIC.palette, ['srgb', 'rgb16', 'srgb']],
  [PHOTOMETRIC.cmyk, ['cmyk', 'cmyk', 'cmyk']],
  [PHOTOMETRIC.yCbCr, ['srgb', 'srgb', 'srgb']],
  [PHOTOMETRIC.cieLab, ['lab', 'labs', 'lab']],
  [PHOTOMETRIC.iccLab, ['lab', 'labs', 'lab']],
]);
const CMYK_INKS = 1;
/** A color filter array, and linear sensor data. */
const CAMERA_RAW = [32803, 34892];

export type SampleType = 'uint8' | 'uint16' | 'uint32' | 'float32';

/** The picture of a TIFF: its largest page that is no reduced one. */
export interface TiffPicture {
  directory: TiffDirectory;
  /** The pages without reduced pages and masks. */
  pages: number;
  /** As stored. */
  width: number;
  height: number;
  /** 1 to 8; other values count as 1. */
  orientation: number;
  compression: number;
  photometric: number;
  bits: number;
  /** Null for formats that libvips does not read. */
  sampleType: SampleType | null;
  colorChannels: number;
  extraChannels: number;
  /** The first alpha channel after the color channels, and its kind; null without alpha. */
  alpha: { channel: number; kind: 1 | 2 } | null;
  hasProfile: boolean;
  isTiled: boolean;
  space: string;
}

/** @returns null if the header does not describe a picture */
export function findPicture(file: TiffFile): TiffPicture | null {
  const realPages = file.pages.filter((page) => area(page) > 0 && !isReduced(page) && !isMask(page));
  const fullSizeChildren = file.children.filter((child) => area(child) > 0 && child.value(TAG.newSubfileType) === 0);
  const candidates = [...realPages, ...fullSizeChildren];
  const [picture] = (candidates.length > 0 ? candidates : file.pages).toSorted((a, b) => area(b) - area(a));
  return picture === undefined || area(picture) === 0 ? null : describe(picture, Math.max(1, realPages.length));
}

const area = (directory: TiffDirectory): number => (directory.value(TAG.width) ?? 0) * (directory.value(TAG.height) ?? 0);
const isReduced = (directory: TiffDirectory): boolean =>
  ((directory.value(TAG.newSubfileType) ?? 0) & 1) === 1 || directory.value(TAG.subfileType) === 2;
const isMask = (directory: TiffDirectory): boolean => ((directory.value(TAG.newSubfileType) ?? 0) & 4) === 4;

function describe(directory: TiffDirectory, pages: number): TiffPicture {
  const samples = directory.value(TAG.samplesPerPixel) ?? 1;
  const photometric = directory.value(TAG.photometric) ?? (samples >= 3 ? PHOTOMETRIC.rgb : PHOTOMETRIC.blackIsZero);
  const orientation = directory.value(TAG.orientation) ?? 1;
  const bits = directory.value(TAG.bitsPerSample) ?? 1;
  const colorChannels = Math.min(samples, colorChannelsOf(directory, photometric, samples));
  const alpha = findAlpha(directory, colorChannels, samples);
  const sampleType = sampleTypeOf(directory, bits);
  const names = SPACE_NAMES.get(photometric);
  return {
    directory,
    pages,
    width: directory.value(TAG.width) ?? 0,
    height: directory.value(TAG.height) ?? 0,
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    compression: directory.value(TAG.compression) ?? 1,
    photometric,
    bits,
    sampleType,
    colorChannels,
    extraChannels: samples - colorChannels - (alpha === null ? 0 : 1),
    alpha,
    hasProfile: directory.entries.has(TAG.iccProfile),
    isTiled: directory.entries.has(TAG.tileOffsets),
    space:
      names === undefined || isOtherInks(directory, photometric) ? 'multiband' : names[sampleType === 'float32' ? 2 : bits > 8 ? 1 : 0],
  };
}

function colorChannelsOf(directory: TiffDirectory, photometric: number, samples: number): number {
  if (isOtherInks(directory, photometric)) return directory.value(TAG.numberOfInks) ?? samples;
  return COLOR_CHANNELS.get(photometric) ?? samples;
}

/** Inks other than cyan, magenta, yellow and black. */
const isOtherInks = (directory: TiffDirectory, photometric: number): boolean =>
  photometric === PHOTOMETRIC.cmyk && (directory.value(TAG.inkSet) ?? CMYK_INKS) !== CMYK_INKS;

function findAlpha(directory: TiffDirectory, colorChannels: number, samples: number): TiffPicture['alpha'] {
  const index = directory.values(TAG.extraSamples).findIndex((kind) => kind === 1 || kind === 2);
  const channel = colorChannels + index;
  if (index === -1 || channel >= samples) return null;
  return { channel, kind: directory.values(TAG.extraSamples)[index] === 1 ? 1 : 2 };
}

/** Null if libvips does not read the samples, or if they have different sizes or formats. */
function sampleTypeOf(directory: TiffDirectory, bits: number): SampleType | null {
  const format = directory.value(TAG.sampleFormat) ?? 1;
  const isUniform =
    directory.values(TAG.bitsPerSample).every((value) => value === bits) &&
    directory.values(TAG.sampleFormat).every((value) => value === format);
  if (!isUniform) return null;
  if (format === 3) return bits === 32 ? 'float32' : null;
  // 4 is "undefined", which programs write for unsigned integers.
  if (format !== 1 && format !== 4) return null;
  if (bits <= 16) return bits <= 8 ? 'uint8' : 'uint16';
  return bits === 32 ? 'uint32' : null;
}

/**
 * How the decoder reads a TIFF. `as_is`: libvips reads the color and alpha that the tags describe. `channels`: libvips reads all channels
 * without a meaning, and the color channels are taken from them. `unsupported`: `subject` has no preview here.
 */
export type TiffReading = { by: 'as_is' } | { by: 'channels'; sampleType: SampleType } | { by: 'unsupported'; subject: string };

const unsupported = (property: string): TiffReading => ({ by: 'unsupported', subject: `TIFF with ${property}` });

export function chooseReading(picture: TiffPicture): TiffReading {
  const { photometric, compression, bits, sampleType, colorChannels, extraChannels, alpha, hasProfile } = picture;
  if (!DECODED_COMPRESSIONS.has(compression))
    return unsupported(`${COMPRESSION_NAMES.get(compression) ?? `unknown (${compression})`} compression`);
  if (picture.isTiled && picture.directory.value(TAG.planarConfiguration) === 2 && (picture.directory.value(TAG.samplesPerPixel) ?? 1) > 1)
    return unsupported('tiles of single color channels');
  if (isOtherInks(picture.directory, photometric)) return unsupported('inks other than CMYK');
  if (!COLOR_CHANNELS.has(photometric)) return unsupported(CAMERA_RAW.includes(photometric) ? 'camera raw data' : 'a rare color space');
  if (colorChannels < (COLOR_CHANNELS.get(photometric) ?? 1)) return unsupported('fewer channels than its color space has');
  if (sampleType === null) return unsupported(`samples of a rare kind (${bits} bits)`);
  if (bits % 8 !== 0) {
    const isReadable = [1, 2, 4].includes(bits) && colorChannels === 1 && extraChannels === 0 && alpha === null;
    return isReadable ? { by: 'as_is' } : unsupported(`${bits}-bit samples`);
  }
  const colors = 3 * 2 ** bits;
  const hasColors = photometric !== PHOTOMETRIC.palette || picture.directory.values(TAG.colorMap, colors).length === colors;
  if (photometric === PHOTOMETRIC.palette || photometric === PHOTOMETRIC.mask)
    return bits === 8 && extraChannels === 0 && alpha === null && hasColors ? { by: 'as_is' } : unsupported('a palette of a rare kind');
  if (photometric === PHOTOMETRIC.yCbCr)
    return compression === JPEG && extraChannels === 0 && alpha === null ? { by: 'as_is' } : unsupported('YCbCr colors outside of JPEG');
  const isOrdinary =
    (sampleType === 'uint8' || (sampleType === 'uint16' && colorChannels === 3 && !hasProfile)) &&
    photometric !== PHOTOMETRIC.cieLab &&
    photometric !== PHOTOMETRIC.iccLab &&
    extraChannels === 0 &&
    // libvips mixes the rows of gray and alpha in separate planes.
    !(colorChannels === 1 && alpha !== null);
  if (isOrdinary) return { by: 'as_is' };
  // The tags do not tell how JPEG stores further channels.
  return compression === JPEG ? unsupported('JPEG compression and further channels') : { by: 'channels', sampleType };
}

export const pixelEntries = (directory: TiffDirectory) => [...directory.entries.values()].filter(({ tag }) => PIXEL_TAGS.has(tag));
