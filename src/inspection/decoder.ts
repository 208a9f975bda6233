/**
 * Opens untrusted pictures: `node decoder.js`, with a task as JSON on standard input. Each picture has its own process, which the parent
 * may kill. Each finding is one line of JSON, so findings survive a crash. Only the formats that clients may upload reach libvips. Others,
 * such as SVG and PDF, do not.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import sharp, { type Metadata } from 'sharp';
import { type ChildUser, giveUpRoot } from '../platform/child-user';
import { memoryField } from '../platform/process-status';
import { UNKNOWN_PROPERTIES, type PictureProperties, type UnreadableCause } from '../domain/inspection';
import { decodeHevc, heifMediaType, isCutOff, readProperties, setMajorBrand, type Libheif } from './formats/heif';
import {
  catchFailure,
  readChannels,
  renderPixels,
  renderAtPreviewSize,
  renderJpeg,
  writePreviews,
  type RenderFailure,
  type PreviewPixels,
} from './formats/render';
import { chooseReading, findPicture, PHOTOMETRIC } from './formats/tiff';
import { toPixels } from './formats/tiff-channels';
import { isTiff, readTiff, type TiffFile } from './formats/tiff-directory';
import { renderTiff } from './formats/tiff-render';
import { WorkingCopy } from './formats/working-copy';

export interface DecoderTask {
  /** A private copy of the file, which this process may change. */
  file: string;
  /** The original size. A crashed attempt leaves the file longer. */
  sizeBytes: number;
  /** The first bytes, as base64. They choose the libraries before the process gives up its rights. */
  head: string;
  preview: string;
  smallPreview: string;
  maxPixels: number;
  /** The process exits if it uses more memory. */
  maxMemoryBytes: number;
  /** Whether HEVC is decoded. */
  isHeicEnabled: boolean;
  /** The user to change to before the picture is opened; null to keep the current user. */
  user: ChildUser | null;
}

/** A line of output. Peaks are the maximum resident memory so far; `cpuSeconds` is the CPU time. */
export type DecoderLine = DecoderFinding & { cpuSeconds: number };

type DecoderFinding =
  /** The program has opened the file. Later failures count as the file's. */
  | { type: 'started' }
  | { type: 'header'; facts: PictureProperties; peakRssBytes: number }
  | { type: 'preview'; peakRssBytes: number }
  /** The program needs too much memory, and ends. */
  | { type: 'limit' }
  /** No program could print the file. `details` are the library's words. */
  | { type: 'unreadable'; cause: UnreadableCause; details?: string }
  /** The picture cannot be decoded here (`noPreviewReason`). */
  | { type: 'no_preview'; subject: string; cause?: string; details?: string };

/** The first bytes of the formats that libvips decodes alone. */
const SIGNATURES = [
  { mediaType: 'image/jpeg', name: 'JPEG', pattern: /^\xff\xd8\xff/ },
  { mediaType: 'image/png', name: 'PNG', pattern: /^\x89PNG\r\n\x1a\n/ },
  { mediaType: 'image/webp', name: 'WebP', pattern: /^RIFF[^]{4}WEBP/ },
];
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Tiff', 'Heif']
  .map((kind) => [`VipsForeignLoad${kind}File`, `VipsForeignLoad${kind}Buffer`])
  .flat();
const MEMORY_CHECK_INTERVAL_MS = 20;

async function main(input: DecoderTask): Promise<void> {
  exitAboveMemory(input.maxMemoryBytes);
  const head = Buffer.from(input.head, 'base64');
  const signature = SIGNATURES.find(({ pattern }) => pattern.test(head.toString('latin1')));
  const heif = heifMediaType(head);
  // Loaded before the process gives up its rights, because its user may be unable to read modules.
  const libheif = heif !== null && input.isHeicEnabled ? (await import('libheif-js/wasm-bundle.js')).default : null;
  const fileType = signature === undefined && heif === null ? await import('file-type') : null;
  const task = confine(input);
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  const copy = WorkingCopy.open(task.file, task.sizeBytes);
  writeLine({ type: 'started' });
  if (signature !== undefined) return inspectWithVips(task, signature);
  if (heif !== null) return inspectHeif(task, copy, heif, libheif);
  const tiff = readTiff(copy);
  if (tiff !== null) return inspectTiff(task, copy, tiff);
  if (isTiff(copy)) return writeUnreadable('image/tiff', 'bad_header');
  const mediaType = (await fileType?.fileTypeFromFile(task.file).catch(() => undefined))?.mime ?? null;
  // file-type knows a TIFF by four bytes.
  writeUnreadable(mediaType, mediaType === 'image/tiff' ? 'bad_header' : 'wrong_type');
}

/** JPEG, PNG and WebP. */
async function inspectWithVips(task: DecoderTask, { mediaType, name }: { mediaType: string; name: string }): Promise<void> {
  const header = await readHeader(task, false);
  if ('failure' in header) return writeBadHeader(mediaType, name, header);
  const orientation = header.orientation ?? 1;
  const { width, height } = header.autoOrient;
  if (!writeHeader(task, { ...propertiesOf(header), mediaType, widthPx: width, heightPx: height, orientation })) return;
  const pixels = await catchFailure(() => (name === 'JPEG' ? renderJpeg(task.file, task.maxPixels) : renderByHeader(task, header)));
  await writeResult(task, pixels, orientation, name);
}

const isDeepWithProfile = (header: Metadata): boolean => header.depth === 'ushort' && header.hasProfile;

/** sharp uses profiles of 16-bit gray only after the samples have 8 bits. */
async function renderByHeader({ file, maxPixels }: DecoderTask, header: Metadata): Promise<PreviewPixels> {
  const isDeep = isDeepWithProfile(header);
  if (!isDeep || header.space !== 'grey16') return renderAtPreviewSize(file, { maxPixels, isDeepRgb: isDeep, isTiff: false });
  const channels = await readChannels(file, 'uint16', { maxPixels, space: 'grey16', isTiff: false });
  const hasAlpha = channels.count === 2;
  const gray = { photometric: PHOTOMETRIC.blackIsZero, colorChannels: 1, alpha: hasAlpha ? { channel: 1, kind: 2 as const } : null };
  return renderPixels(toPixels(gray, 'uint16', channels, header.icc ?? null), maxPixels);
}

async function inspectTiff(task: DecoderTask, copy: WorkingCopy, tiff: TiffFile): Promise<void> {
  const mediaType = 'image/tiff';
  const picture = findPicture(tiff);
  if (picture === null) return writeUnreadable(mediaType, 'bad_header');
  const isTurned = picture.orientation >= 5;
  const isWritten = writeHeader(task, {
    mediaType,
    widthPx: isTurned ? picture.height : picture.width,
    heightPx: isTurned ? picture.width : picture.height,
    orientation: picture.orientation,
    colourSpace: picture.space,
    hasProfile: picture.hasProfile,
    hasAlpha: picture.alpha !== null,
    pages: picture.pages,
    extraChannels: picture.extraChannels,
  });
  if (!isWritten) return;
  const reading = chooseReading(picture);
  if (reading.by === 'unsupported') return writeNoPreview(reading.subject);
  const { file, maxPixels } = task;
  const pixels = await catchFailure(() => renderTiff({ file, copy, tiff, picture, maxPixels }, reading));
  if (pixels === null) return writeNoPreview('TIFF with floating-point values above 1');
  await writeResult(task, pixels, picture.orientation, 'TIFF');
}

async function inspectHeif(task: DecoderTask, copy: WorkingCopy, mediaType: string, libheif: Libheif | null): Promise<void> {
  const name = mediaType === 'image/avif' ? 'AVIF' : 'HEIC';
  if (isCutOff(copy)) return writeUnreadable(mediaType, 'cut_off');
  const { codec, color } = readProperties(copy);
  setMajorBrand(copy, codec);
  const header = await readHeader(task, true);
  if ('failure' in header) return writeBadHeader(mediaType, name, header);
  const { width, height } = header;
  // The file's own rotation counts, and EXIF's does not (ISO/IEC 23008-12).
  if (!writeHeader(task, { ...propertiesOf(header), mediaType, widthPx: width, heightPx: height, orientation: 1 })) return;
  if (color !== null && (color.transfer === PQ || color.transfer === HLG)) return writeNoPreview(`${name} with HDR colors`);
  if (codec === 'hevc') {
    if (libheif === null) return writeNoPreview(name);
    if (width * height > MAX_HEVC_PIXELS) return writeNoPreview(name, 'decoding it takes too much memory');
    const profile = header.icc ?? (color?.primaries === DISPLAY_P3 ? await displayP3Profile() : null);
    const pixels = decodeHevc(libheif, copy, { width, height, hasAlpha: header.hasAlpha, profile });
    return writeResult(task, 'failure' in pixels ? pixels : await renderPixels(pixels, task.maxPixels), 1, name);
  }
  if (codec !== 'av1') return writeNoPreview('HEIF with a rare codec');
  await writeResult(task, await catchFailure(() => renderByHeader(task, header)), 1, name);
}

/** A picture of 67 megapixels takes 374 MB. WebAssembly blocks the check of the memory. */
const MAX_HEVC_PIXELS = 80_000_000;

/** Codes of ITU-T H.273. */
const DISPLAY_P3 = 12;
const PQ = 16;
const HLG = 18;

/** libvips's own profile. */
async function displayP3Profile(): Promise<Buffer | null> {
  const pixel = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'black' } })
    .withIccProfile('p3')
    .png()
    .toBuffer();
  return (await sharp(pixel).metadata()).icc ?? null;
}

/** Writes the previews, or why there are none. */
async function writeResult(task: DecoderTask, pixels: PreviewPixels | RenderFailure, orientation: number, name: string): Promise<void> {
  if (!('failure' in pixels)) {
    const files = { large: task.preview, small: task.smallPreview };
    await writePreviews(pixels, { orientation, isSubsampled: name === 'JPEG' || name === 'HEIC', files });
    return writeLine({ type: 'preview', peakRssBytes: peakMemory() });
  }
  const { failure, details } = pixels;
  if (failure === 'damaged') return writeLine({ type: 'unreadable', cause: 'damaged_pixels', ...toDetails(details) });
  writeNoPreview(name, failure === 'memory' ? 'decoding it takes too much memory' : 'decoding it fails here', details);
}

function writeNoPreview(subject: string, cause?: string, details?: string): void {
  writeLine({ type: 'no_preview', subject, ...(cause !== undefined && { cause }), ...toDetails(details) });
}

function writeUnreadable(mediaType: string | null, cause: UnreadableCause, details?: string): void {
  writeLine({ type: 'header', facts: { ...UNKNOWN_PROPERTIES, mediaType }, peakRssBytes: peakMemory() });
  writeLine({ type: 'unreadable', cause, ...toDetails(details) });
}

function writeBadHeader(mediaType: string, name: string, { failure, details }: RenderFailure): void {
  if (failure === 'damaged') return writeUnreadable(mediaType, 'bad_header', details);
  writeLine({ type: 'header', facts: { ...UNKNOWN_PROPERTIES, mediaType }, peakRssBytes: peakMemory() });
  writeNoPreview(name, 'its header is of a rare kind', details);
}

/** @returns false if the picture has more pixels than the limit */
function writeHeader({ maxPixels }: DecoderTask, properties: PictureProperties & { widthPx: number; heightPx: number }): boolean {
  const { mediaType, widthPx, heightPx } = properties;
  const isTooLarge = widthPx * heightPx > maxPixels;
  if (isTooLarge && Math.max(widthPx, heightPx) > MAX_SIDE) {
    writeUnreadable(mediaType, 'too_many_pixels');
    return false;
  }
  writeLine({ type: 'header', facts: properties, peakRssBytes: peakMemory() });
  if (isTooLarge) writeLine({ type: 'unreadable', cause: 'too_many_pixels' });
  return !isTooLarge;
}

/** What the database stores. */
const MAX_SIDE = 2 ** 31 - 1;

/** @param isHeif phones make HEIC pictures of more tiles than libheif's own limit allows */
const readHeader = ({ file }: DecoderTask, isHeif: boolean): Promise<Metadata | RenderFailure> =>
  catchFailure(() => sharp(file, { limitInputPixels: false, limitInputChannels: 0, failOn: 'error', unlimited: isHeif }).metadata());

const propertiesOf = (header: Metadata) => ({
  colourSpace: header.space,
  hasProfile: header.hasProfile,
  hasAlpha: header.hasAlpha,
  pages: 1,
  extraChannels: 0,
});

/** Kills this process if it uses too much memory. libvips decodes in its own threads, so this thread can check. */
function exitAboveMemory(maxMemoryBytes: number): void {
  setInterval(() => {
    if (memoryBytes() <= maxMemoryBytes) return;
    writeLine({ type: 'limit' });
    process.kill(process.pid, 'SIGKILL');
  }, MEMORY_CHECK_INTERVAL_MS).unref();
}

/** The anonymous memory. On Linux it excludes mapped pages of the file, which the kernel can reclaim. */
function memoryBytes(): number {
  try {
    return memoryField(readFileSync('/proc/self/status', 'utf8'), 'RssAnon') ?? process.memoryUsage.rss();
  } catch {
    return process.memoryUsage.rss();
  }
}

/** Gives up root, if the task names a user. Changes to the task's folder first, so that the user needs no rights to the folders above. */
function confine(task: DecoderTask): DecoderTask {
  if (task.user === null) return task;
  process.chdir(dirname(task.file));
  giveUpRoot(task.user);
  return { ...task, file: basename(task.file), preview: basename(task.preview), smallPreview: basename(task.smallPreview) };
}

/** The last line of a library's message for the log. libheif adds a line for each place that it tries to read. */
function toDetails(details?: string): { details?: string } {
  if (details === undefined) return {};
  const lines = details.split('\n').filter((line) => line !== '' && !line.includes('bad seek'));
  return { details: lines.at(-1) ?? 'unknown' };
}

const peakMemory = (): number => process.resourceUsage().maxRSS * 1024;

function writeLine(finding: DecoderFinding): void {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const line: DecoderLine = { ...finding, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

main(JSON.parse(readFileSync(0, 'utf8')) as DecoderTask).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
