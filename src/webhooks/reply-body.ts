import { AttemptFailure } from './outcome';
import type { Framing } from './reply-head';

/** Finds the end of a body. */
export interface BodyReader {
  isComplete: boolean;
  /**
   * Reads bytes of the body, passes on the content, and returns the number of bytes used.
   * @throws AttemptFailure `protocol` if the framing is broken
   */
  read(bytes: Buffer, onContent: (content: Buffer) => void): number;
}

export function createBodyReader(framing: Framing): BodyReader {
  if (framing.kind === 'chunked') return new ChunkedBody();
  return new PlainBody(framing.kind === 'counted' ? framing.bytes : Infinity);
}

class PlainBody implements BodyReader {
  constructor(private remainingBytes: number) {}

  get isComplete(): boolean {
    return this.remainingBytes === 0;
  }

  read(bytes: Buffer, onContent: (content: Buffer) => void): number {
    const content = bytes.subarray(0, this.remainingBytes);
    onContent(content);
    this.remainingBytes -= content.length;
    return content.length;
  }
}

const CHUNK_SIZE = /^([0-9a-f]{1,12})(?:;[\t\x20-\x7e\x80-\xff]*)?$/i;

/** RFC 9112 section 7.1. Ignores extensions and trailers. The caller limits the size. */
class ChunkedBody implements BodyReader {
  isComplete = false;
  private chunk = new PlainBody(0);
  private line = '';
  private expected: 'size' | 'end of chunk' | 'trailer' = 'size';

  read(bytes: Buffer, onContent: (content: Buffer) => void): number {
    let used = 0;
    while (used < bytes.length && !this.isComplete) {
      const rest = bytes.subarray(used);
      used += this.chunk.isComplete ? this.readText(rest) : this.chunk.read(rest, onContent);
    }
    return used;
  }

  private readText(bytes: Buffer): number {
    const lineFeed = bytes.indexOf('\n');
    this.line += bytes.toString('latin1', 0, lineFeed < 0 ? bytes.length : lineFeed);
    if (lineFeed < 0) return bytes.length;
    if (!this.line.endsWith('\r')) throw new AttemptFailure('protocol');
    this.readLine(this.line.slice(0, -1));
    this.line = '';
    return lineFeed + 1;
  }

  private readLine(line: string): void {
    if (this.expected === 'size') this.startChunk(line);
    else if (this.expected === 'trailer') this.isComplete = line === '';
    else if (line === '') this.expected = 'size';
    else throw new AttemptFailure('protocol');
  }

  private startChunk(line: string): void {
    const [, size] = CHUNK_SIZE.exec(line) ?? [];
    if (size === undefined) throw new AttemptFailure('protocol');
    this.chunk = new PlainBody(parseInt(size, 16));
    this.expected = this.chunk.isComplete ? 'trailer' : 'end of chunk';
  }
}
