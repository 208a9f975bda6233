/** HEIF files: HEIC, AVIF and relatives (ISO/IEC 23008-12). libvips decodes AV1, libheif-js decodes HEVC. */
import type libheif from 'libheif-js/wasm-bundle.js';
import { PREVIEW_PX } from '../../domain/inspection';
import { PHOTOMETRIC } from './tiff';
import type { Pixels } from './tiff-writer';
import type { WorkingCopy } from './working-copy';

/** Brands of still pictures and their image sequences. */
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs'];
const AVIF_BRANDS = ['avif', 'avis'];
const HEIF_BRANDS = ['mif1', 'mif2', 'mif3', 'miaf', 'msf1', '1pic', 'MiHB', 'MiHE', 'MiPr'];
/** The decoder needs the file in memory. */
const MAX_HEVC_BYTES = 100_000_000;
const MAX_BOXES = 1000;

/** @returns the media type by the brands of an `ftyp` box; null for other files, such as videos */
export function heifMediaType(head: Buffer): 'image/heic' | 'image/avif' | 'image/heif' | null {
  const brands = readBrands(head);
  if (brands.some((brand) => HEIC_BRANDS.includes(brand))) return 'image/heic';
  if (brands.some((brand) => AVIF_BRANDS.includes(brand))) return 'image/avif';
  return brands.some((brand) => HEIF_BRANDS.includes(brand)) ? 'image/heif' : null;
}

function readBrands(head: Buffer): string[] {
  if (head.length < 12 || head.toString('latin1', 4, 8) !== 'ftyp') return [];
  const end = Math.min(head.readUInt32BE(0), head.length);
  const brands = [head.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4));
  return brands;
}

/** Boxes with pictures. Programs ignore what follows them. */
const PICTURE_BOXES = ['meta', 'moov', 'mdat'];

/** Whether the file ends within a box with pictures, or has no description of pictures. */
export function isCutOff(copy: WorkingCopy): boolean {
  let hasPictures = false;
  for (let at = 0, boxes = 0; at < copy.sizeBytes && boxes < MAX_BOXES; boxes += 1) {
    const head = copy.read(at, 16);
    const type = head.toString('latin1', 4, 8);
    const size = head.length < 8 ? 0 : head.readUInt32BE(0);
    hasPictures ||= type === 'meta' || type === 'moov';
    if (size === 0 || (size === 1 && head.length < 16)) break;
    at += size === 1 ? Number(head.readBigUInt64BE(8)) : Math.max(size, 8);
    if (at > copy.sizeBytes && PICTURE_BOXES.includes(type)) return true;
  }
  return !hasPictures;
}

/** Properties of a file's pictures. */
interface HeifProperties {
  /** By the configuration of the first coded picture; null for other codecs. */
  codec: 'hevc' | 'av1' | null;
  /** The first `nclx` color description, as codes of ITU-T H.273; null if there is none. */
  color: { primaries: number; transfer: number } | null;
}

const CONTAINER_BOXES = new Map([
  ['meta', 4],
  ['iprp', 0],
  ['ipco', 0],
]);
const CODECS = new Map<string, 'hevc' | 'av1'>([
  ['hvcC', 'hevc'],
  ['av1C', 'av1'],
]);

export function readProperties(copy: WorkingCopy): HeifProperties {
  const found: HeifProperties = { codec: null, color: null };
  collectProperties(copy, found, { start: 0, end: copy.sizeBytes }, { boxes: MAX_BOXES, depth: 0 });
  return found;
}

function collectProperties(
  copy: WorkingCopy,
  found: HeifProperties,
  { start, end }: { start: number; end: number },
  budget: { boxes: number; depth: number },
): void {
  for (let at = start; at + 8 <= end && budget.boxes > 0; budget.boxes -= 1) {
    const head = copy.read(at, 24);
    const size = head.length < 8 ? 0 : head.readUInt32BE(0);
    // Boxes of more than 4 GB and a last box without a size contain no properties.
    if (size < 8) return;
    const type = head.toString('latin1', 4, 8);
    const skipped = CONTAINER_BOXES.get(type);
    if (skipped !== undefined && budget.depth < CONTAINER_BOXES.size) {
      budget.depth += 1;
      collectProperties(copy, found, { start: at + 8 + skipped, end: Math.min(at + size, end) }, budget);
      budget.depth -= 1;
    }
    found.codec ??= CODECS.get(type) ?? null;
    if (type === 'colr' && head.length >= 16 && head.toString('latin1', 8, 12) === 'nclx')
      found.color ??= { primaries: head.readUInt16BE(12), transfer: head.readUInt16BE(14) };
    at += size;
  }
}

/** Gives the file the major brand of its codec, because libvips ignores the compatible ones. */
export function setMajorBrand(copy: WorkingCopy, codec: HeifProperties['codec']): void {
  copy.saveHeader();
  copy.write(8, Buffer.from(codec === 'av1' ? 'avif' : 'heic', 'latin1'));
}

export type Libheif = typeof libheif;

interface HevcFailure {
  failure: 'damaged' | 'memory' | 'unsupported';
  details: string;
}

/** What libvips reads from the header of the primary picture. */
interface HeicHeader {
  width: number;
  height: number;
  hasAlpha: boolean;
  /** The ICC profile; null if there is none. */
  profile: Buffer | null;
}

/** Decodes the primary picture of a HEIC file at about the preview's size, after its rotation and cropping (`irot`, `imir`, `clap`). */
export function decodeHevc(libheif: Libheif, copy: WorkingCopy, header: HeicHeader): Pixels | HevcFailure {
  if (copy.sizeBytes > MAX_HEVC_BYTES) return { failure: 'memory', details: 'the file is too large' };
  const context = libheif.heif_context_alloc();
  const error = libheif.heif_context_read_from_memory(context, copy.read(0, copy.sizeBytes));
  if (error.code !== libheif.heif_error_code.heif_error_Ok) return failureOf(libheif, error);
  const handle = libheif.heif_js_context_get_primary_image_handle(context);
  if ('message' in handle) return failureOf(libheif, handle);
  const { heif_colorspace: spaces, heif_chroma: chromas } = libheif;
  const chroma = header.hasAlpha ? chromas.heif_chroma_interleaved_RGBA : chromas.heif_chroma_interleaved_RGB;
  const decoded = libheif.heif_js_decode_image2(handle, spaces.heif_colorspace_RGB, chroma);
  if ('message' in decoded) return failureOf(libheif, decoded);
  const [plane] = decoded.channels;
  if (plane === undefined) return { failure: 'unsupported', details: 'no color channels' };
  if (plane.width !== header.width || plane.height !== header.height) return { failure: 'unsupported', details: 'not the primary picture' };
  return shrink(plane, header);
}

/** Only input that breaks the format's rules is damage. */
function failureOf({ heif_error_code: codes }: Libheif, { code, message: details }: { code: unknown; message: string }): HevcFailure {
  if (code === codes.heif_error_Memory_allocation_error || /memory|limit/i.test(details)) return { failure: 'memory', details };
  return { failure: code === codes.heif_error_Invalid_input ? 'damaged' : 'unsupported', details };
}

interface Plane {
  width: number;
  height: number;
  stride: number;
  data: Uint8Array;
}

/** Averages blocks of whole pixels, so that less than twice the preview's size remains. Transparent pixels do not count for the color. */
function shrink({ width, height, stride, data }: Plane, { hasAlpha, profile }: HeicHeader): Pixels {
  const channels = hasAlpha ? 4 : 3;
  const factor = Math.max(1, Math.floor(Math.max(width, height) / PREVIEW_PX));
  const [columns, rows] = [Math.max(1, Math.floor(width / factor)), Math.max(1, Math.floor(height / factor))];
  const [blockWidth, blockHeight] = [Math.min(factor, width), Math.min(factor, height)];
  const sums = new Float64Array(columns * channels);
  const small = new Uint8Array(columns * rows * channels);
  for (let row = 0; row < rows; row += 1) {
    sums.fill(0);
    for (let line = row * factor; line < row * factor + blockHeight; line += 1)
      for (let column = 0; column < columns; column += 1)
        for (let pixel = 0; pixel < blockWidth; pixel += 1)
          addPixel(sums, column * channels, data, line * stride + (column * factor + pixel) * channels, channels);
    for (let column = 0; column < columns; column += 1)
      small.set(
        meanOf(sums.subarray(column * channels, (column + 1) * channels), blockWidth * blockHeight),
        (row * columns + column) * channels,
      );
  }
  const alpha = hasAlpha ? 2 : null;
  return { width: columns, height: rows, bits: 8, photometric: PHOTOMETRIC.rgb, channels, alpha, profile, data: small };
}

function addPixel(sums: Float64Array, to: number, data: Uint8Array, from: number, channels: 3 | 4): void {
  const weight = channels === 4 ? (data[from + 3] ?? 0) / 255 : 1;
  for (let channel = 0; channel < 3; channel += 1) sums[to + channel] = (sums[to + channel] ?? 0) + weight * (data[from + channel] ?? 0);
  if (channels === 4) sums[to + 3] = (sums[to + 3] ?? 0) + weight;
}

/** @param sums of the weighted colors, and the sum of the weights if there is alpha */
function meanOf(sums: Float64Array, pixels: number): number[] {
  const weight = sums[3] ?? pixels;
  const color = [...sums.subarray(0, 3)].map((sum) => (weight === 0 ? 0 : Math.round(sum / weight)));
  return sums.length === 4 ? [...color, Math.round((255 * weight) / pixels)] : color;
}
