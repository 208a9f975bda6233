/** Runs the decoder with limits of time and memory, and evaluates its output (ruling 60). */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import type { ChildUser } from '../child-user';
import { DECODER_VERSION, MAX_PIXELS, PREVIEW_PX, UNKNOWN_PROPERTIES, type InspectionResult } from '../domain/inspection';
import type { DecoderLine, DecoderTask } from './decoder';

interface DecoderBounds {
  timeMs: number;
  /** The decoder exits if it uses more. The kernel limits it to twice as much. */
  memoryBytes: number;
}

const BOUNDS: DecoderBounds = { timeMs: 120_000, memoryBytes: 512 * 1024 * 1024 };
const DECODER = path.join(__dirname, 'decoder.js');

/** The decoder's findings. `peaks` is the peak memory in bytes; null if it was not measured. */
interface DecodeResult {
  found: InspectionResult;
  hasPreview: boolean;
  peaks: { header: number | null; preview: number | null };
  /** CPU time reported by the decoder, or its running time if it was killed. */
  cpuSeconds: number;
}

type AssessedOutput = Omit<DecodeResult, 'cpuSeconds'>;

/** A shell script that sets the kernel's memory limit where it is supported, and then becomes the program. */
const BOUNDED_EXEC = 'ulimit -d "$0" 2>/dev/null; exec "$@"';
/** The decoder's environment. It contains no secrets, because a picture may exploit the decoder. Few arenas and threads keep memory low. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' };
const MAX_OUTPUT_CHARACTERS = 8_000;

/**
 * Decodes a file and writes its preview if possible. Does not reject because of the file's content.
 * @throws Error if the decoder could not work, or `stop` aborted
 */
export async function decode(
  files: { file: string; preview: string },
  stop: AbortSignal,
  { program = DECODER, bounds = BOUNDS, user = null }: { program?: string; bounds?: DecoderBounds; user?: ChildUser | null } = {},
): Promise<DecodeResult> {
  const task: DecoderTask = { ...files, previewPx: PREVIEW_PX, maxPixels: MAX_PIXELS, maxMemoryBytes: bounds.memoryBytes, user };
  const startedAt = performance.now();
  const child = start(program, task, bounds);
  const kill = (): void => void child.kill('SIGKILL');
  const timer = setTimeout(kill, bounds.timeMs);
  stop.addEventListener('abort', kill);
  try {
    const output = collectOutput(child);
    const [code] = (await once(child, 'close')) as [number | null];
    stop.throwIfAborted();
    const lines = output.lines();
    const elapsedSeconds = (performance.now() - startedAt) / 1000;
    const cpuSeconds = code === 0 ? (lines.at(-1)?.cpuSeconds ?? elapsedSeconds) : elapsedSeconds;
    return { ...assessOutput(lines, code, output.errorOutput(), bounds), cpuSeconds };
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', kill);
  }
}

function start(program: string, task: DecoderTask, { memoryBytes }: DecoderBounds): ChildProcess {
  const node = [process.execPath, '--max-old-space-size=64', program];
  const kernelKb = String((2 * memoryBytes) / 1024);
  const child = spawn('/bin/sh', ['-c', BOUNDED_EXEC, kernelKb, ...node], { env: ENVIRONMENT, stdio: ['pipe', 'pipe', 'pipe'] });
  // Not an argument, because other processes can read arguments and learn the file's name.
  child.stdin.on('error', () => undefined).end(JSON.stringify(task));
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
    stream?.on('data', (chunk: Buffer) => (captured.text = (captured.text + chunk.toString()).slice(0, MAX_OUTPUT_CHARACTERS)));
    return captured;
  });
  return { lines: () => (texts[0]?.text ?? '').split('\n').flatMap(readLine), errorOutput: () => texts[1]?.text ?? '' };
}

/** Returns no result for an incomplete line. */
function readLine(line: string): DecoderLine[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as DecoderLine];
  } catch {
    return [];
  }
}

/** @param code the exit code; null if the decoder was killed */
function assessOutput(lines: DecoderLine[], code: number | null, errorOutput: string, bounds: DecoderBounds): AssessedOutput {
  if (code !== null && code !== 0 && code < 128) throw new Error(`the decoder failed: ${errorOutput}`);
  const header = lines.find((line) => line.type === 'header');
  const lastLine = lines.find((line) => line.type !== 'header');
  const facts = header?.facts ?? UNKNOWN_PROPERTIES;
  const peaks = { header: header?.peakRssBytes ?? null, preview: lastLine?.type === 'preview' ? lastLine.peakRssBytes : null };
  const found = (state: InspectionResult['state'], reason: string | null): AssessedOutput => ({
    found: { ...facts, state, reason, decoderVersion: DECODER_VERSION },
    hasPreview: state === 'ok',
    peaks,
  });
  if (lastLine?.type === 'preview') return found('ok', null);
  if (lastLine !== undefined) return found(lastLine.type, lastLine.reason);
  if (facts.widthPx === null) return found('unreadable', `it cannot be opened within ${describeBounds(bounds)}`);
  return found('no_preview', `its pixels cannot be decoded within ${describeBounds(bounds)}; open the artwork itself to see it`);
}

const describeBounds = ({ timeMs, memoryBytes }: DecoderBounds): string =>
  `${timeMs / 1000} s or ${memoryBytes / 1024 / 1024} MB of memory`;
