/** Runs the decoder with limits of time and memory, and evaluates its output (ruling 60). */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants as fileFlags } from 'node:fs';
import { open, statfs } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import type { ChildUser } from '../platform/child-user';
import {
  DECODER_VERSION,
  formatName,
  MAX_PIXELS,
  noPreviewReason,
  UNKNOWN_PROPERTIES,
  unreadableReason,
  type InspectionResult,
  type PictureProperties,
  type PreviewSize,
} from '../domain/inspection';
import { Deadline } from '../runtime/deadline';
import type { DecoderLine, DecoderTask } from './decoder';
import { parseLine } from './decoder-output';

interface DecoderBounds {
  /** The CPU time of one attempt. */
  cpuSeconds: number;
  /** The running time of all attempts. On a busy machine it is longer than the CPU time. */
  timeMs: number;
  /** The decoder exits if it uses more. The kernel limits it to twice as much, and Node's reserve. */
  memoryBytes: number;
}

const BOUNDS: DecoderBounds = { cpuSeconds: 120, timeMs: 150_000, memoryBytes: 512 * 1024 * 1024 };
const DECODER = path.join(__dirname, 'decoder.js');
const MAX_ATTEMPTS = 2;

export type DecoderFiles = Pick<DecoderTask, 'file' | 'preview' | 'smallPreview'>;

/** WebP pictures. */
export type Previews = Readonly<Record<PreviewSize, Buffer>>;

export interface DecodeOptions {
  /** Default: the decoder of this build. */
  program?: string;
  bounds?: DecoderBounds;
  /** The program's user; null for the user of this process. */
  user?: ChildUser | null;
  /** Whether HEIC is decoded. Default: true. */
  isHeicEnabled?: boolean;
  /** Called after each attempt, also after a failed or stopped one. */
  recordCpuTime?: (cpuSeconds: number) => Promise<void>;
}

/** The decoder's findings. `peaks` is the peak memory in bytes; null if it was not measured. */
interface DecodeResult {
  found: InspectionResult;
  previews: Previews | null;
  peaks: { header: number | null; preview: number | null };
  /** The words of the decoder's library; null if there are none. */
  details: string | null;
  /** The sum of all attempts. */
  cpuSeconds: number;
}

/** Why an attempt led to no finding. A `crash` may have had another cause than the picture, so it is tried again. */
type Failure = 'crash' | 'limit';

/**
 * A shell script that sets the limits that the system supports, and then becomes the program. The kernel ends the program before this
 * process if memory is short. A crash leaves no core file, because it would contain the picture.
 */
const BOUNDED_EXEC = [
  '{ echo 1000 > /proc/self/oom_score_adj; ulimit -c 0; ulimit -d "$0"; ulimit -t "$2"; ulimit -S -t "$1"; ulimit -f "$3"; } 2>/dev/null',
  'shift 3',
  'exec "$@"',
].join('; ');
/** The decoder's environment. It contains no secrets, because a picture may exploit the decoder. Few arenas and threads keep memory low. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' };
const MAX_OUTPUT_CHARACTERS = 8_000;
/** The time to read the output of an ended decoder, ms. A program that it started may keep the pipes open. */
const DRAIN_MS = 1_000;
/** Node 24 reserves 512 MB for code, which count towards the kernel's limit. */
const NODE_RESERVE_BYTES = 640 * 1024 * 1024;
const MAX_PREVIEW_BYTES = 16 * 1024 * 1024;

/**
 * Decodes a file and reads its previews if possible. Does not reject because of the file's content: after a second failed attempt there is
 * no preview.
 * @throws Error if the decoder could not work, or `stop` aborted
 */
export async function decode(files: DecoderFiles, stop: AbortSignal, options: DecodeOptions = {}): Promise<DecodeResult> {
  const { bounds = BOUNDS, recordCpuTime } = options;
  const deadline = new Deadline([stop], bounds.timeMs);
  let cpuSeconds = 0;
  try {
    const file = await readStart(files.file);
    for (let attempt = 1; ; attempt += 1) {
      const run = await runDecoder({ ...files, ...file }, deadline.signal, options, bounds);
      cpuSeconds += run.cpuSeconds;
      await recordCpuTime?.(run.cpuSeconds);
      stop.throwIfAborted();
      if (!run.hasTimedOut || attempt === 1) assertStarted(run);
      const result = await assessRun(run, files);
      if (typeof result !== 'string') return { ...result, cpuSeconds };
      await assertDiskSpace(path.dirname(files.file));
      if (result === 'limit' || attempt === MAX_ATTEMPTS || deadline.signal.aborted)
        return { ...withoutPreview(run, result, bounds), cpuSeconds };
    }
  } finally {
    deadline.release();
  }
}

type FileStart = Pick<DecoderTask, 'sizeBytes' | 'head'>;

/** Enough for the brands of a HEIF file. */
const HEAD_BYTES = 512;

async function readStart(file: string): Promise<FileStart> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return { sizeBytes: (await handle.stat()).size, head: buffer.toString('base64', 0, bytesRead) };
  } finally {
    await handle.close();
  }
}

interface DecoderRun {
  lines: DecoderLine[];
  errorOutput: string;
  code: number | null;
  signal: NodeJS.Signals | null;
  hasTimedOut: boolean;
  cpuSeconds: number;
}

async function runDecoder(
  files: DecoderFiles & FileStart,
  stop: AbortSignal,
  options: DecodeOptions,
  bounds: DecoderBounds,
): Promise<DecoderRun> {
  const { program = DECODER, user = null, isHeicEnabled = true } = options;
  const task: DecoderTask = { ...files, maxPixels: MAX_PIXELS, maxMemoryBytes: bounds.memoryBytes, isHeicEnabled, user };
  const startedAt = performance.now();
  const child = spawnDecoder(program, task, bounds);
  const kill = (): void => killGroup(child);
  stop.addEventListener('abort', kill);
  if (stop.aborted) kill();
  try {
    const output = collectOutput(child);
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    const elapsedSeconds = (performance.now() - startedAt) / 1000;
    const lines = output.lines();
    const cpuSeconds = countedSeconds(code === 0 ? lines.at(-1)?.cpuSeconds : undefined, elapsedSeconds, bounds);
    return { lines, errorOutput: output.errorOutput(), code, signal, hasTimedOut: signal === 'SIGKILL' && stop.aborted, cpuSeconds };
  } finally {
    stop.removeEventListener('abort', kill);
    killGroup(child);
  }
}

/** Ends the decoder and the programs that it may have started. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // already ended
  }
}

/**
 * The CPU time that counts for the account: the running time if the decoder reported none. At least a quarter of the running time counts,
 * because an exploited decoder can report any figure.
 */
function countedSeconds(reported: number | undefined, elapsedSeconds: number, bounds: DecoderBounds): number {
  return Math.max(Math.min(reported ?? elapsedSeconds, bounds.cpuSeconds), elapsedSeconds / 4);
}

function spawnDecoder(program: string, task: DecoderTask, { cpuSeconds, memoryBytes }: DecoderBounds): ChildProcess {
  const node = [process.execPath, '--max-old-space-size=64', program];
  // The soft CPU limit sends SIGXCPU, the hard one SIGKILL.
  const fileBlocks = Math.ceil((task.sizeBytes + 2 * MAX_PREVIEW_BYTES) / 512);
  const limits = [(2 * memoryBytes + NODE_RESERVE_BYTES) / 1024, cpuSeconds, cpuSeconds + 1, fileBlocks].map(String);
  const child = spawn('/bin/sh', ['-c', BOUNDED_EXEC, ...limits, ...node], {
    detached: true,
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // Not an argument, because other processes can read arguments and learn the file's name.
  child.stdin.on('error', () => undefined).end(JSON.stringify(task));
  child.once('exit', () => {
    const timer = setTimeout(() => [child.stdout, child.stderr].forEach((stream) => stream.destroy()), DRAIN_MS);
    child.once('close', () => clearTimeout(timer));
  });
  lowerPriority(child);
  return child;
}

/** Lowers the decoder's priority, because requests are more urgent than pictures. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // already ended
  }
}

/** Keeps the first characters of each stream, but reads both to the end, because a full pipe would block the decoder. */
function collectOutput({ stdout, stderr }: ChildProcess): { lines: () => DecoderLine[]; errorOutput: () => string } {
  const texts = [stdout, stderr].map((stream) => {
    const captured = { text: '' };
    stream?.setEncoding('utf8').on('data', (chunk: string) => (captured.text = (captured.text + chunk).slice(0, MAX_OUTPUT_CHARACTERS)));
    return captured;
  });
  const lines = (): DecoderLine[] => (texts[0]?.text ?? '').split('\n').flatMap((line) => parseLine(line) ?? []);
  return { lines, errorOutput: () => texts[1]?.text ?? '' };
}

/** @throws Error if the decoder ended before it opened the file: the picture is not the cause */
function assertStarted({ lines, code, signal, errorOutput }: DecoderRun): void {
  if (!lines.some(({ type }) => type === 'started')) throw new Error(`the decoder failed (${signal ?? code}): ${errorOutput}`);
}

type Assessed = Omit<DecodeResult, 'cpuSeconds'>;

async function assessRun(run: DecoderRun, files: DecoderFiles): Promise<Assessed | Failure> {
  const { lines, code, signal, hasTimedOut } = run;
  if (hasTimedOut || signal === 'SIGXCPU' || lines.some(({ type }) => type === 'limit')) return 'limit';
  const finding = lines.find(isFinding);
  if (code !== 0 || finding === undefined) return 'crash';
  if (finding.type !== 'preview')
    return { ...toResult(run, finding.type, reasonOf(finding, factsOf(run)), null), details: finding.details ?? null };
  const [large, small] = await Promise.all([readPreview(files.preview), readPreview(files.smallPreview)]);
  if (large === null || small === null || factsOf(run).widthPx === null) return 'crash';
  return toResult(run, 'ok', null, { large, small });
}

type Finding = Extract<DecoderLine, { type: 'preview' | 'unreadable' | 'no_preview' }>;

const isFinding = (line: DecoderLine): line is Finding => ['preview', 'unreadable', 'no_preview'].includes(line.type);

const reasonOf = (finding: Exclude<Finding, { type: 'preview' }>, facts: PictureProperties): string =>
  finding.type === 'unreadable' ? unreadableReason(finding.cause, facts) : noPreviewReason(finding.subject, finding.cause);

const factsOf = ({ lines }: DecoderRun): PictureProperties => lines.find((line) => line.type === 'header')?.facts ?? UNKNOWN_PROPERTIES;

function toResult(run: DecoderRun, state: InspectionResult['state'], reason: string | null, previews: Previews | null): Assessed {
  const peakOf = (type: 'header' | 'preview'): number | null =>
    run.lines.flatMap((line) => (line.type === type && 'peakRssBytes' in line ? [line.peakRssBytes] : []))[0] ?? null;
  return {
    found: { ...factsOf(run), state, reason, decoderVersion: DECODER_VERSION },
    previews,
    peaks: { header: peakOf('header'), preview: peakOf('preview') },
    details: null,
  };
}

/** Damage and missing support cannot be told apart, so the file is never `unreadable`. */
function withoutPreview(run: DecoderRun, failure: Failure, { cpuSeconds, memoryBytes }: DecoderBounds): Assessed {
  // The decoder kills itself if it uses too much memory.
  const isLimit = failure === 'limit' || run.signal === 'SIGKILL';
  const because = isLimit ? `decoding it takes more than ${cpuSeconds} s or ${memoryBytes / 1024 / 1024} MB` : 'decoding it fails here';
  return toResult(run, 'no_preview', noPreviewReason(formatName(factsOf(run).mediaType), because), null);
}

/** The preview; null if the decoder wrote something else. The decoder may have replaced the file by a link, symbolic or not, or by a pipe. */
async function readPreview(file: string): Promise<Buffer | null> {
  const handle = await open(file, fileFlags.O_RDONLY | fileFlags.O_NOFOLLOW | fileFlags.O_NONBLOCK).catch(() => null);
  try {
    const stats = await handle?.stat();
    if (handle === null || stats === undefined || !stats.isFile() || stats.nlink !== 1 || stats.size > MAX_PREVIEW_BYTES) return null;
    const bytes = Buffer.alloc(stats.size);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
    return bytesRead === stats.size && isWebp ? bytes : null;
  } finally {
    await handle?.close();
  }
}

/** @throws Error if previews do not fit on the disk, which is not the picture's fault */
async function assertDiskSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < 2 * MAX_PREVIEW_BYTES) throw new Error('the disk of DATA_DIR is full');
}
