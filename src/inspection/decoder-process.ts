/** Starts the program that opens a picture, bounds it, and judges what it said before it ended (ruling 60). */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import type { ChildUser } from '../child-user';
import { MAX_PIXELS, PREVIEW_PX, UNKNOWN_PROPERTIES, type InspectionResult } from '../domain/inspection';
import type { DecoderLine, DecoderTask } from './decoder';

interface DecoderBounds {
  timeMs: number;
  /** It ends itself above this; the kernel gives it no more than twice as much. */
  memoryBytes: number;
}

const BOUNDS: DecoderBounds = { timeMs: 120_000, memoryBytes: 512 * 1024 * 1024 };
const DECODER = path.join(__dirname, 'decoder.js');

/** What was found, and how much memory that took at most, in bytes; null where it did not come so far. */
interface DecodeResult {
  found: InspectionResult;
  hasPreview: boolean;
  peaks: { header: number | null; preview: number | null };
  /** CPU time as the program reports it, or its running time if it was killed. */
  cpuSeconds: number;
}

type AssessedOutput = Omit<DecodeResult, 'cpuSeconds'>;

/** Sets the kernel's bound where there is one, and becomes the program. */
const BOUNDED_EXEC = 'ulimit -d "$0" 2>/dev/null; exec "$@"';
/**
 * Nothing of ours: no secret is in reach of what somebody's picture may do to a decoder. Few arenas and threads, so that memory stays flat.
 */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' };
const MAX_OUTPUT_CHARACTERS = 8_000;

/**
 * Looks at a file; writes the preview where one can be made. What the bytes are never fails it.
 * @throws Error where the program could not do its work, or `stop` was given
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
  // Not an argument: every process may read those, and another picture's program could take the file's name from there.
  child.stdin.on('error', () => undefined).end(JSON.stringify(task));
  lowerPriority(child);
  return child;
}

/** Requests have priority over pictures. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // it has ended
  }
}

/** Read to its end even above what is kept, so that the program never waits for us. */
function collectOutput({ stdout, stderr }: ChildProcess): { lines: () => DecoderLine[]; errorOutput: () => string } {
  const texts = [stdout, stderr].map((stream) => {
    const captured = { text: '' };
    stream?.on('data', (chunk: Buffer) => (captured.text = (captured.text + chunk.toString()).slice(0, MAX_OUTPUT_CHARACTERS)));
    return captured;
  });
  return { lines: () => (texts[0]?.text ?? '').split('\n').flatMap(readLine), errorOutput: () => texts[1]?.text ?? '' };
}

/** Nothing where it was cut short. */
function readLine(line: string): DecoderLine[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as DecoderLine];
  } catch {
    return [];
  }
}

/** @param code null where it was killed, by us, by itself or by the kernel */
function assessOutput(lines: DecoderLine[], code: number | null, errorOutput: string, bounds: DecoderBounds): AssessedOutput {
  if (code !== null && code !== 0 && code < 128) throw new Error(`the program that looks at pictures failed: ${errorOutput}`);
  const header = lines.find((line) => line.type === 'header');
  const lastLine = lines.find((line) => line.type !== 'header');
  const facts = header?.facts ?? UNKNOWN_PROPERTIES;
  const peaks = { header: header?.peakRssBytes ?? null, preview: lastLine?.type === 'preview' ? lastLine.peakRssBytes : null };
  const found = (state: InspectionResult['state'], reason: string | null): AssessedOutput => ({
    found: { ...facts, state, reason },
    hasPreview: state === 'ok',
    peaks,
  });
  if (lastLine?.type === 'preview') return found('ok', null);
  if (lastLine !== undefined) return found(lastLine.type, lastLine.reason);
  if (facts.widthPx === null) return found('unreadable', `it cannot be opened: it takes more than ${describeBounds(bounds)}`);
  return found(
    'no_preview',
    `its pixels are not decoded here, which takes more than ${describeBounds(bounds)}; open the artwork itself to see it`,
  );
}

const describeBounds = ({ timeMs, memoryBytes }: DecoderBounds): string =>
  `${timeMs / 1000} s or ${memoryBytes / 1024 / 1024} MB of memory`;
