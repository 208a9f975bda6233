/**
 * Opens untrusted pictures: `node decoder.js`, with a task as JSON on standard input. Each picture has its own process, which the parent
 * may kill (ruling 60). Each finding is one line of JSON, so findings survive a crash. Only the formats that clients may upload reach
 * libvips. Others, such as SVG and PDF, do not.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import sharp, { type Metadata } from 'sharp';
import { type ChildUser, giveUpRoot } from '../child-user';
import { noPreviewReason, UNKNOWN_PROPERTIES, type PictureProperties } from '../domain/inspection';
import { decodeHevc, heifMediaType, isCutOff, readProperties, setMajorBrand, type Libheif } from './formats/heif';
import { attempt, readChannels, renderPixels, renderSmall, writePreviews, type RenderFailure, type SmallPicture } from './formats/render';
import { chooseReading, findPicture, PHOTOMETRIC } from './formats/tiff';
import { toPixels } from './formats/tiff-channels';
import { isTiff, readTiff, type TiffFile } from './formats/tiff-directory';
import { renderTiff } from './formats/tiff-render';
import { WorkingCopy } from './formats/working-copy';

export interface DecoderTask {
  /** A private copy of the file, which this process may change. */
  file: string;
  /** The size of the file, which is larger after an attempt that crashed. */
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
  /** The program has opened the file, and reads it next. What happens from now on is the file's doing. */
  | { type: 'started' }
  | { type: 'header'; facts: PictureProperties; peakRssBytes: number }
  | { type: 'preview'; peakRssBytes: number }
  /** No program could print the file. `details` are the library's words. */
  | { type: 'unreadable'; reason: string; details?: string }
  /** The picture cannot be decoded here. */
  | { type: 'no_preview'; reason: string; details?: string };

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
  write({ type: 'started' });
  if (signature !== undefined) return inspectWithVips(task, signature);
  if (heif !== null) return inspectHeif(task, copy, heif, libheif);
  const tiff = readTiff(copy);
  if (tiff !== null) return inspectTiff(task, copy, tiff);
  if (isTiff(copy)) return writeUnreadable('image/tiff', 'its header cannot be read: the file is damaged or ends too early');
  const mediaType = (await fileType?.fileTypeFromFile(task.file).catch(() => undefined))?.mime ?? null;
  writeUnreadable(mediaType, wrongTypeReason(mediaType));
}

/** JPEG, PNG and WebP. */
async function inspectWithVips(task: DecoderTask, { mediaType, name }: { mediaType: string; name: string }): Promise<void> {
  const header = await readHeader(task);
  if ('failure' in header) return writeBadHeader(mediaType, name, header);
  const orientation = header.orientation ?? 1;
  const { width, height } = header.autoOrient;
  if (!writeHeader(task, { ...factsOf(header), mediaType, widthPx: width, heightPx: height, orientation })) return;
  const small = await attempt(() => renderByHeader(task, header));
  await finish(task, small, orientation, name);
}

const isGrey16 = (header: Metadata): boolean => header.space === 'grey16' && header.hasProfile;

/** sharp uses profiles of 16-bit gray only after the samples have 8 bits. */
async function renderByHeader({ file, maxPixels }: DecoderTask, header: Metadata): Promise<SmallPicture> {
  const isDeep = header.depth === 'ushort' && header.hasProfile;
  if (!isGrey16(header)) return renderSmall(file, { maxPixels, isDeepRgb: isDeep, isTiff: false });
  const channels = await readChannels(file, 'uint16', { maxPixels, space: 'grey16', isTiff: false });
  const hasAlpha = channels.count === 2;
  const gray = { photometric: PHOTOMETRIC.blackIsZero, colorChannels: 1, alpha: hasAlpha ? { channel: 1, kind: 2 as const } : null };
  return renderPixels(toPixels(gray, 'uint16', channels, header.icc ?? null), maxPixels);
}

async function inspectTiff(task: DecoderTask, copy: WorkingCopy, tiff: TiffFile): Promise<void> {
  const mediaType = 'image/tiff';
  const picture = findPicture(tiff);
  if (picture === null) return writeUnreadable(mediaType, 'its header cannot be read: it has no size; send the file again');
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
  if (reading.by === 'unsupported') return writeNoPreview(reading.what);
  const { file, maxPixels } = task;
  const small = await attempt(() => renderTiff({ file, copy, tiff, picture, maxPixels }, reading));
  if (small === null) return writeNoPreview('TIFF with floating-point values above 1');
  await finish(task, small, picture.orientation, 'TIFF');
}

async function inspectHeif(task: DecoderTask, copy: WorkingCopy, mediaType: string, libheif: Libheif | null): Promise<void> {
  const name = mediaType === 'image/avif' ? 'AVIF' : 'HEIC';
  if (isCutOff(copy)) return writeUnreadable(mediaType, 'its header cannot be read: the file ends too early');
  const { codec, color } = readProperties(copy);
  setMajorBrand(copy, codec);
  const header = await readHeader(task);
  if ('failure' in header) return writeBadHeader(mediaType, name, header);
  const { width, height } = header;
  // The file's own rotation counts, and EXIF's does not (ISO/IEC 23008-12).
  if (!writeHeader(task, { ...factsOf(header), mediaType, widthPx: width, heightPx: height, orientation: 1 })) return;
  if (color !== null && (color.transfer === PQ || color.transfer === HLG)) return writeNoPreview(`${name} with HDR colors`);
  if (codec === 'hevc') {
    if (libheif === null) return writeNoPreview(name);
    const profile = header.icc ?? (color?.primaries === DISPLAY_P3 ? await displayP3Profile() : null);
    const pixels = decodeHevc(libheif, copy, profile);
    return finish(task, 'failure' in pixels ? pixels : await renderPixels(pixels, task.maxPixels), 1, name);
  }
  if (codec !== 'av1') return writeNoPreview('HEIF with a rare codec');
  await finish(
    task,
    await attempt(() =>
      renderSmall(task.file, { maxPixels: task.maxPixels, isDeepRgb: header.depth === 'ushort' && header.hasProfile, isTiff: false }),
    ),
    1,
    name,
  );
}

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
async function finish(task: DecoderTask, small: SmallPicture | RenderFailure, orientation: number, name: string): Promise<void> {
  if (!('failure' in small)) {
    const files = { large: task.preview, small: task.smallPreview };
    await writePreviews(small, { orientation, isSubsampled: name === 'JPEG' || name === 'HEIC', files });
    return write({ type: 'preview', peakRssBytes: peakMemory() });
  }
  const { failure, details } = small;
  if (failure === 'damaged') return write({ type: 'unreadable', reason: 'its pixels are damaged or incomplete', details: plain(details) });
  writeNoPreview(name, failure === 'memory' ? 'decoding it takes too much memory' : 'decoding it fails here', details);
}

function writeNoPreview(what: string, because?: string, details?: string): void {
  write({ type: 'no_preview', reason: noPreviewReason(what, because), ...(details !== undefined && { details: plain(details) }) });
}

function writeUnreadable(mediaType: string | null, reason: string): void {
  write({ type: 'header', facts: { ...UNKNOWN_PROPERTIES, mediaType }, peakRssBytes: peakMemory() });
  write({ type: 'unreadable', reason });
}

function writeBadHeader(mediaType: string, name: string, { failure, details }: RenderFailure): void {
  write({ type: 'header', facts: { ...UNKNOWN_PROPERTIES, mediaType }, peakRssBytes: peakMemory() });
  if (failure === 'damaged') write({ type: 'unreadable', reason: 'its header cannot be read', details: plain(details) });
  else writeNoPreview(name, 'its header is of a rare kind', details);
}

/** @returns false if the picture has more pixels than the limit */
function writeHeader({ maxPixels }: DecoderTask, facts: PictureProperties & { widthPx: number; heightPx: number }): boolean {
  write({ type: 'header', facts, peakRssBytes: peakMemory() });
  const { widthPx, heightPx } = facts;
  if (widthPx * heightPx <= maxPixels) return true;
  write({
    type: 'unreadable',
    reason: `its header declares ${widthPx} × ${heightPx} pixels; the limit is ${maxPixels / 1_000_000} million`,
  });
  return false;
}

const readHeader = ({ file }: DecoderTask): Promise<Metadata | RenderFailure> =>
  attempt(() => sharp(file, { limitInputPixels: false, limitInputChannels: 0, failOn: 'error' }).metadata());

const factsOf = (header: Metadata) => ({
  colourSpace: header.space,
  hasProfile: header.hasProfile,
  hasAlpha: header.hasAlpha,
  pages: 1,
  extraChannels: 0,
});

/** Kills this process if it uses too much memory. libvips decodes in its own threads, so this thread can check. */
function exitAboveMemory(maxMemoryBytes: number): void {
  setInterval(() => {
    if (memoryBytes() > maxMemoryBytes) process.kill(process.pid, 'SIGKILL');
  }, MEMORY_CHECK_INTERVAL_MS).unref();
}

/** The anonymous memory. On Linux it excludes mapped pages of the file, which the kernel can reclaim. */
function memoryBytes(): number {
  try {
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
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

function wrongTypeReason(mediaType: string | null): string {
  const accepted = 'send JPEG, PNG, WebP, TIFF or HEIC';
  if (mediaType === null) return `the file is not a known picture format, or is incomplete; ${accepted}`;
  return `the file is ${mediaType}, which cannot be printed; ${accepted}`;
}

/** The last line of a library's message for the log, without the temporary file's name. */
function plain(details: string): string {
  const lines = details.split('\n').filter((line) => line !== '' && !line.includes('bad seek'));
  return (lines.at(-1) ?? 'unknown').replaceAll(/\/\S+/g, 'the file').slice(0, 200);
}

const peakMemory = (): number => process.resourceUsage().maxRSS * 1024;

function write(finding: DecoderFinding): void {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const line: DecoderLine = { ...finding, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

main(JSON.parse(readFileSync(0, 'utf8')) as DecoderTask).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
