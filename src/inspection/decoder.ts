/**
 * The program that opens somebody's bytes: `node decoder.js`, with its task as JSON on standard input. It is a process of its own for each
 * picture, which whoever started it may kill (ruling 60). It writes one line of JSON for each thing it finds out, so that what was known
 * before it died is not lost. Only the kinds of picture that may be uploaded reach a decoder of libvips; what file-type does not know, SVG
 * and PDF among it, reaches none.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import sharp, { type Metadata } from 'sharp';
import { type ChildUser, giveUpRoot } from '../child-user';
import { UNKNOWN_PROPERTIES, type PictureProperties } from '../domain/inspection';

export interface DecoderTask {
  file: string;
  preview: string;
  previewPx: number;
  maxPixels: number;
  /** It ends itself above this. */
  maxMemoryBytes: number;
  /** The user that the program changes to before it opens the picture; null: it does not change. */
  user: ChildUser | null;
}

/** A line of output. Peaks are the most resident memory so far; `cpuSeconds` is the CPU time. */
export type DecoderLine = DecoderFinding & { cpuSeconds: number };

type DecoderFinding =
  | { type: 'header'; facts: PictureProperties; peakRssBytes: number }
  | { type: 'preview'; peakRssBytes: number }
  /** No picture that can be printed. */
  | { type: 'unreadable'; reason: string }
  /** A picture that this program cannot decode. */
  | { type: 'no_preview'; reason: string };

/** What file-type calls the kinds that may be uploaded. */
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

/** Memory is taken by libvips's own threads, so this one is free to look. */
function exitAboveMemory(maxMemoryBytes: number): void {
  setInterval(() => {
    if (memoryBytes() > maxMemoryBytes) process.kill(process.pid, 'SIGKILL');
  }, MEMORY_CHECK_INTERVAL_MS).unref();
}

/**
 * What it has taken. Linux tells it without the pages of the file that libvips has mapped, which the kernel takes back whenever it likes.
 */
function memoryBytes(): number {
  try {
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
  } catch {
    return process.memoryUsage.rss();
  }
}

/** A program that works in its folder needs no rights to the folders above. */
function confine(task: DecoderTask): DecoderTask {
  if (task.user === null) return task;
  process.chdir(dirname(task.file));
  giveUpRoot(task.user);
  return { ...task, file: basename(task.file), preview: basename(task.preview) };
}

function wrongTypeReason(mediaType: string | null): string {
  const accepted = 'JPEG, PNG, WebP, TIFF and HEIC are';
  if (mediaType === null) return `its bytes are no picture that is known, or are cut short; ${accepted}`;
  return `its bytes are ${mediaType}, which is not printed; ${accepted}`;
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
  };
}

function tooManyPixelsReason({ width, height }: Metadata, maxPixels: number): string {
  return `it says that it has ${width} × ${height} pixels; more than ${maxPixels / 1_000_000} million are not decoded`;
}

/**
 * Made small first and turned afterwards: turning needs all rows at once. What fails after the pixels were decoded is a fault of ours, and
 * thrown.
 */
async function writePreview(task: DecoderTask, orientation: number): Promise<void> {
  const decoded = await decodeSmall(task);
  if ('damaged' in decoded) return writeFinding(toDecodeFailure(decoded.damaged));
  const { width, height, channels } = decoded.info;
  await applyOrientation(sharp(decoded.data, { raw: { width, height, channels } }), orientation)
    .webp({ quality: 82 })
    .toFile(task.preview);
  writeFinding({ type: 'preview', peakRssBytes: peakMemory() });
}

/** A decoder that was given too little memory says so, which is nothing against the picture. */
function toDecodeFailure(damaged: string): DecoderFinding {
  if (/memory/i.test(damaged))
    return {
      type: 'no_preview',
      reason: 'its pixels take more memory than there is for looking at them; open the artwork itself to see it',
    };
  return { type: 'unreadable', reason: `its pixels are damaged or end too early: ${damaged}` };
}

/** In sRGB, as it lies in the file. What libvips only warns of, such as bytes after the end, is no damage. */
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

/** By EXIF's orientation: first mirrored, then turned by so many degrees, which is the order in which sharp does it. */
function applyOrientation(picture: sharp.Sharp, orientation: number): sharp.Sharp {
  const degrees = [0, 0, 0, 180, 180, 270, 90, 90, 270][orientation] ?? 0;
  const rotated = degrees === 0 ? picture : picture.rotate(degrees);
  return [2, 4, 5, 7].includes(orientation) ? rotated.flop() : rotated;
}

/** libvips names the file, which is a temporary one, and repeats itself. */
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
