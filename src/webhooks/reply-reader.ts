import { EXCERPT_BYTES } from './excerpt';
import { AttemptFailure } from './outcome';
import { createBodyReader, type BodyReader } from './reply-body';
import { parseHead, type ReplyHead } from './reply-head';

/** The limits of a reply's body, and of its status line and headers, in bytes. */
const MAX_BODY_BYTES = 32 * 1024;
const MAX_HEAD_BYTES = 16 * 1024;

/** How many 1xx replies are skipped. */
const MAX_INTERIM_REPLIES = 10;

/** Reads one reply in chunks of any size. Finishes at the reply's end or after 32 KiB of its body. Detects bytes after the reply's end. */
export class ReplyReader {
  /** The reply's status after complete headers. May be 101, which is not a valid answer to a POST. */
  status: number | null = null;
  /** The part of the body that the excerpt needs. */
  readonly body: Buffer[] = [];
  /** True if no more bytes are needed. */
  isFinished = false;
  /** True if the reply was complete without surplus bytes, and both sides keep the connection open. */
  isConnectionReusable = false;
  /** True if bytes followed the reply. */
  hasSurplusBytes = false;
  private head: { reply: ReplyHead; body: BodyReader } | null = null;
  private text = '';
  private interimReplies = 0;
  private bytesRead = 0;
  private bytesStored = 0;

  /** True after complete headers, which decide the outcome. */
  get hasHead(): boolean {
    return this.head !== null;
  }

  /** @throws AttemptFailure `protocol` for invalid HTTP */
  read(chunk: Buffer): void {
    let used = 0;
    while (this.head === null && used < chunk.length) used += this.readHead(chunk.subarray(used));
    if (this.head !== null) this.readBody(chunk.subarray(used), this.head);
  }

  /** Reads bytes up to the end of the head. @returns how many */
  private readHead(bytes: Buffer): number {
    const before = this.text.length;
    this.text += bytes.toString('latin1', 0, MAX_HEAD_BYTES + 1 - before);
    const end = this.text.indexOf('\r\n\r\n', Math.max(0, before - 3));
    if (end < 0) {
      assertPossibleHead(this.text);
      return bytes.length;
    }
    this.handleHead(parseHead(this.text.slice(0, end)));
    this.text = '';
    return end + 4 - before;
  }

  private handleHead(reply: ReplyHead): void {
    if (reply.status === 101) this.status = 101;
    if (reply.status === 101 || (reply.status < 200 && this.interimReplies === MAX_INTERIM_REPLIES)) throw new AttemptFailure('protocol');
    if (reply.status < 200) {
      this.interimReplies += 1;
      return;
    }
    this.status = reply.status;
    this.head = { reply, body: createBodyReader(reply.framing) };
  }

  private readBody(bytes: Buffer, { reply, body }: { reply: ReplyHead; body: BodyReader }): void {
    const used = body.read(bytes.subarray(0, MAX_BODY_BYTES - this.bytesRead), (content) => this.storeBody(content));
    this.bytesRead += used;
    this.isFinished = body.isComplete || this.bytesRead >= MAX_BODY_BYTES;
    this.hasSurplusBytes = body.isComplete && used < bytes.length;
    this.isConnectionReusable = body.isComplete && !this.hasSurplusBytes && reply.keepAlive;
  }

  private storeBody(content: Buffer): void {
    if (content.length === 0 || this.bytesStored >= EXCERPT_BYTES) return;
    this.bytesStored += content.length;
    this.body.push(content);
  }
}

/** Throws at once if the text cannot become a valid head, instead of waiting for the timeout. */
function assertPossibleHead(text: string): void {
  const hasHttpPrefix = 'HTTP/1.'.startsWith(text.slice(0, 7));
  if (!hasHttpPrefix || text.length > MAX_HEAD_BYTES || /(?:^|[^\r])\n/.test(text)) throw new AttemptFailure('protocol');
}
