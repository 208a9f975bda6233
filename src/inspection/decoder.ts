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
import { NO_FACTS, type PictureFacts } from '../domain/inspection';

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
  | { told: 'header'; facts: PictureFacts; peakRssBytes: number }
  | { told: 'preview'; peakRssBytes: number }
  /** No picture that can be printed. */
  | { told: 'unreadable'; reason: string }
  /** A picture that this program cannot decode. */
  | { told: 'no_preview'; reason: string };

/** What file-type calls the kinds that may be uploaded. */
const KINDS = new Map([
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
const WATCH_MS = 20;

async function main(given: DecoderTask): Promise<void> {
  endAbove(given.maxMemoryBytes);
  // file-type is an ES module; CommonJS can only import it dynamically.
  const { fileTypeFromFile } = await import('file-type');
  const task = confine(given);
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  const mediaType = (await fileTypeFromFile(task.file).catch(() => undefined))?.mime ?? null;
  if (mediaType === null || !KINDS.has(mediaType)) {
    tell({ told: 'header', facts: { ...NO_FACTS, mediaType }, peakRssBytes: peak() });
    return tell({ told: 'unreadable', reason: foreign(mediaType) });
  }
  const header = await headerOf(task.file);
  if ('damaged' in header) {
    tell({ told: 'header', facts: { ...NO_FACTS, mediaType }, peakRssBytes: peak() });
    return tell({ told: 'unreadable', reason: `its header cannot be read: ${header.damaged}` });
  }
  tell({ told: 'header', facts: factsOf(mediaType, header), peakRssBytes: peak() });
  if (header.width * header.height > task.maxPixels) return tell({ told: 'unreadable', reason: tooMany(header, task.maxPixels) });
  if (header.compression === 'hevc')
    return tell({ told: 'no_preview', reason: 'HEIC pictures cannot be decoded here; open the artwork itself to see it' });
  await preview(task, header.orientation ?? 1);
}

/** Memory is taken by libvips's own threads, so this one is free to look. */
function endAbove(maxMemoryBytes: number): void {
  setInterval(() => {
    if (memoryBytes() > maxMemoryBytes) process.kill(process.pid, 'SIGKILL');
  }, WATCH_MS).unref();
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

function foreign(mediaType: string | null): string {
  const wanted = 'JPEG, PNG, WebP, TIFF and HEIC are';
  if (mediaType === null) return `its bytes are no picture that is known, or are cut short; ${wanted}`;
  return `its bytes are ${mediaType}, which is not printed; ${wanted}`;
}

async function headerOf(file: string): Promise<Metadata | { damaged: string }> {
  try {
    return await sharp(file, { limitInputPixels: false, failOn: 'error' }).metadata();
  } catch (error) {
    return { damaged: describeError(error) };
  }
}

function factsOf(mediaType: string, header: Metadata): PictureFacts {
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

function tooMany({ width, height }: Metadata, maxPixels: number): string {
  return `it says that it has ${width} × ${height} pixels; more than ${maxPixels / 1_000_000} million are not decoded`;
}

/**
 * Made small first and turned afterwards: turning needs all rows at once. What fails after the pixels were decoded is a fault of ours, and
 * thrown.
 */
async function preview(task: DecoderTask, orientation: number): Promise<void> {
  const decoded = await small(task);
  if ('damaged' in decoded) return tell(undecoded(decoded.damaged));
  const { width, height, channels } = decoded.info;
  await turned(sharp(decoded.data, { raw: { width, height, channels } }), orientation)
    .webp({ quality: 82 })
    .toFile(task.preview);
  tell({ told: 'preview', peakRssBytes: peak() });
}

/** A decoder that was given too little memory says so, which is nothing against the picture. */
function undecoded(damaged: string): DecoderFinding {
  if (/memory/i.test(damaged))
    return {
      told: 'no_preview',
      reason: 'its pixels take more memory than there is for looking at them; open the artwork itself to see it',
    };
  return { told: 'unreadable', reason: `its pixels are damaged or end too early: ${damaged}` };
}

/** In sRGB, as it lies in the file. What libvips only warns of, such as bytes after the end, is no damage. */
async function small({ file, previewPx: side, maxPixels }: DecoderTask) {
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
function turned(picture: sharp.Sharp, orientation: number): sharp.Sharp {
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

const peak = (): number => process.resourceUsage().maxRSS * 1024;

function tell(finding: DecoderFinding): void {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const line: DecoderLine = { ...finding, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

main(JSON.parse(readFileSync(0, 'utf8')) as DecoderTask).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
