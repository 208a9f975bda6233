import { AttemptFailure } from './outcome';
import type { Framing } from './reply-head';

/** Finds the end of a body in what comes. */
export interface BodyReader {
  whole: boolean;
  /**
   * Takes what belongs to the body, hands its content on, and tells how many bytes those were.
   * @throws AttemptFailure `protocol` where the framing is broken.
   */
  read(bytes: Buffer, onContent: (content: Buffer) => void): number;
}

export function bodyReader(framing: Framing): BodyReader {
  if (framing.kind === 'chunked') return new ChunkedBody();
  return new PlainBody(framing.kind === 'counted' ? framing.bytes : Infinity);
}

class PlainBody implements BodyReader {
  constructor(private left: number) {}

  get whole(): boolean {
    return this.left === 0;
  }

  read(bytes: Buffer, onContent: (content: Buffer) => void): number {
    const content = bytes.subarray(0, this.left);
    onContent(content);
    this.left -= content.length;
    return content.length;
  }
}

const CHUNK_SIZE = /^([0-9a-f]{1,12})(?:;[\t\x20-\x7e\x80-\xff]*)?$/i;

/** RFC 9112 section 7.1. Extensions and trailers are passed over. Whoever calls it bounds how much it is given. */
class ChunkedBody implements BodyReader {
  whole = false;
  private left = 0;
  private line = '';
  private expected: 'size' | 'end of chunk' | 'trailer' = 'size';

  read(bytes: Buffer, onContent: (content: Buffer) => void): number {
    let used = 0;
    while (used < bytes.length && !this.whole) {
      used += this.left > 0 ? this.readContent(bytes.subarray(used), onContent) : this.readText(bytes.subarray(used));
    }
    return used;
  }

  private readContent(bytes: Buffer, onContent: (content: Buffer) => void): number {
    const content = bytes.subarray(0, this.left);
    onContent(content);
    this.left -= content.length;
    return content.length;
  }

  private readText(bytes: Buffer): number {
    const lineFeed = bytes.indexOf('\n');
    this.line += bytes.toString('latin1', 0, lineFeed < 0 ? bytes.length : lineFeed);
    if (lineFeed < 0) return bytes.length;
    if (!this.line.endsWith('\r')) throw new AttemptFailure('protocol');
    this.take(this.line.slice(0, -1));
    this.line = '';
    return lineFeed + 1;
  }

  private take(line: string): void {
    if (this.expected === 'size') this.begin(line);
    else if (this.expected === 'trailer') this.whole = line === '';
    else if (line === '') this.expected = 'size';
    else throw new AttemptFailure('protocol');
  }

  private begin(line: string): void {
    const [, size] = CHUNK_SIZE.exec(line) ?? [];
    if (size === undefined) throw new AttemptFailure('protocol');
    this.left = parseInt(size, 16);
    this.expected = this.left === 0 ? 'trailer' : 'end of chunk';
  }
}
