/**
 * Opens untrusted pictures: `node decoder.js`, with a task as JSON on standard input. Each picture has its own process, which the parent
 * may kill (ruling 60). Each finding is one line of JSON, so findings survive a crash. Only the formats that clients may upload reach
 * libvips. Others, such as SVG and PDF, do not.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import sharp, { type Metadata } from 'sharp';
import { type ChildUser, giveUpRoot } from '../child-user';
import { UNKNOWN_PROPERTIES, type PictureProperties } from '../domain/inspection';

export interface DecoderTask {
  file: string;
  preview: string;
  smallPreview: string;
  previewPx: number;
  maxPixels: number;
  /** The process exits if it uses more memory. */
  maxMemoryBytes: number;
  /** The user to change to before the picture is opened; null to keep the current user. */
  user: ChildUser | null;
}

/** A line of output. Peaks are the maximum resident memory so far; `cpuSeconds` is the CPU time. */
export type DecoderLine = DecoderFinding & { cpuSeconds: number };

type DecoderFinding =
  /** The program runs and opens the file next. Later failures count against the picture. */
  | { type: 'started' }
  | { type: 'header'; facts: PictureProperties; peakRssBytes: number }
  | { type: 'preview'; peakRssBytes: number }
  /** The file is not a printable picture. */
  | { type: 'unreadable'; reason: string }
  /** The picture cannot be decoded here. */
  | { type: 'no_preview'; reason: string };

/** Names of the uploadable media types that file-type detects. */
const MEDIA_KINDS = new Map([
  ['image/jpeg', 'JPEG'],
  ['image/png', 'PNG'],
  ['image/apng', 'PNG'],
  ['image/webp', 'WebP'],
  ['image/tiff', 'TIFF'],
  ['image/heic', 'HEIC'],
  ['image/heif', 'HEIC'],
  ['image/heic-sequence', 'HEIC'],
  ['image/heif-sequence', 'HEIC'],
]);
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Tiff', 'Heif'].map((kind) => `VipsForeignLoad${kind}File`);
const MEMORY_CHECK_INTERVAL_MS = 20;

async function main(input: DecoderTask): Promise<void> {
  exitAboveMemory(input.maxMemoryBytes);
  // file-type is an ES module; CommonJS can only import it dynamically.
  const { fileTypeFromFile } = await import('file-type');
  const task = confine(input);
  writeFinding({ type: 'started' });
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  const mediaType = (await fileTypeFromFile(task.file).catch(() => undefined))?.mime ?? null;
  if (mediaType === null || !MEDIA_KINDS.has(mediaType)) {
    writeFinding({ type: 'header', facts: { ...UNKNOWN_PROPERTIES, mediaType }, peakRssBytes: peakMemory() });
    return writeFinding({ type: 'unreadable', reason: wrongTypeReason(mediaType) });
  }
  const header = await readHeader(task.file);
  if ('damaged' in header) {
    writeFinding({ type: 'header', facts: { ...UNKNOWN_PROPERTIES, mediaType }, peakRssBytes: peakMemory() });
    return writeFinding({ type: 'unreadable', reason: `its header cannot be read: ${header.damaged}` });
  }
  writeFinding({ type: 'header', facts: toPictureFacts(mediaType, header), peakRssBytes: peakMemory() });
  if (header.width * header.height > task.maxPixels)
    return writeFinding({ type: 'unreadable', reason: tooManyPixelsReason(header, task.maxPixels) });
  if (header.compression === 'hevc')
    return writeFinding({ type: 'no_preview', reason: 'HEIC pictures cannot be decoded here; open the artwork itself to see it' });
  await writePreview(task, header.orientation ?? 1);
}

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

async function readHeader(file: string): Promise<Metadata | { damaged: string }> {
  try {
    return await sharp(file, { limitInputPixels: false, failOn: 'error' }).metadata();
  } catch (error) {
    return { damaged: describeError(error) };
  }
}

function toPictureFacts(mediaType: string, header: Metadata): PictureProperties {
  const { width, height } = header.autoOrient;
  return {
    mediaType,
    widthPx: width,
    heightPx: height,
    orientation: header.orientation ?? 1,
    colourSpace: header.space,
    hasProfile: header.hasProfile,
    hasAlpha: header.hasAlpha,
    pages: header.pages ?? 1,
    extraChannels: 0,
  };
}

function tooManyPixelsReason({ width, height }: Metadata, maxPixels: number): string {
  return `its header declares ${width} × ${height} pixels; the limit is ${maxPixels / 1_000_000} million`;
}

/**
 * Writes the preview. Scales down before rotating, because rotation needs all rows in memory. Errors after decoding are faults of this
 * service and are thrown.
 */
async function writePreview(task: DecoderTask, orientation: number): Promise<void> {
  const decoded = await decodeSmall(task);
  if ('damaged' in decoded) return writeFinding(toDecodeFailure(decoded.damaged));
  const { width, height, channels } = decoded.info;
  await applyOrientation(sharp(decoded.data, { raw: { width, height, channels } }), orientation)
    .webp({ quality: 82 })
    .toFile(task.preview);
  await sharp(task.preview).resize(320, 320, { fit: 'inside', withoutEnlargement: true }).webp().toFile(task.smallPreview);
  writeFinding({ type: 'preview', peakRssBytes: peakMemory() });
}

/** A picture whose pixels need too much memory is not unreadable. */
function toDecodeFailure(damaged: string): DecoderFinding {
  if (/memory/i.test(damaged))
    return {
      type: 'no_preview',
      reason: 'decoding its pixels takes too much memory; open the artwork itself to see it',
    };
  return { type: 'unreadable', reason: `its pixels are damaged or incomplete: ${damaged}` };
}

/** Decodes the pixels at the preview's size, in sRGB and without rotation. Ignores warnings of libvips, such as bytes after the end. */
async function decodeSmall({ file, previewPx: side, maxPixels }: DecoderTask) {
  try {
    return await sharp(file, { sequentialRead: true, limitInputPixels: maxPixels, failOn: 'error' })
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
  } catch (error) {
    return { damaged: describeError(error) };
  }
}

/** Applies EXIF's orientation. sharp first mirrors, then rotates. */
function applyOrientation(picture: sharp.Sharp, orientation: number): sharp.Sharp {
  const degrees = [0, 0, 0, 180, 180, 270, 90, 90, 270][orientation] ?? 0;
  const rotated = degrees === 0 ? picture : picture.rotate(degrees);
  return [2, 4, 5, 7].includes(orientation) ? rotated.flop() : rotated;
}

/** Describes an error by the last line of libvips's message, without the temporary file's name. */
function describeError(error: unknown): string {
  const text = error instanceof Error ? error.message : 'unknown';
  const lines = text.split('\n').filter((line) => line !== '' && !line.includes('bad seek'));
  return (lines.at(-1) ?? 'unknown').replaceAll(/\/\S+/g, 'the file').slice(0, 200);
}

const peakMemory = (): number => process.resourceUsage().maxRSS * 1024;

function writeFinding(finding: DecoderFinding): void {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const line: DecoderLine = { ...finding, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

main(JSON.parse(readFileSync(0, 'utf8')) as DecoderTask).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
