import { EXCERPT_BYTES } from './excerpt';
import { AttemptFailure } from './outcome';
import { createBodyReader, type BodyReader } from './reply-body';
import { parseHead, type ReplyHead } from './reply-head';

/** How much of a reply's body is read, and how large its status line and headers may be, in bytes. */
const MAX_BODY_BYTES = 32 * 1024;
const MAX_HEAD_BYTES = 16 * 1024;

/** How many 1xx replies are passed over before the real one. */
const MAX_INTERIM_REPLIES = 10;

/**
 * Reads one reply as it comes, in pieces of any size. It knows when it has seen enough: the end, or 32 KiB of a body. It
 * stops at the end of the reply, so that what comes after it can be told from it.
 */
export class ReplyReader {
  /** The reply's status once its headers are complete; 101 as well, which is no proper answer to a POST. */
  status: number | null = null;
  /** As much of the body as an excerpt needs. */
  readonly body: Buffer[] = [];
  /** Nothing more is wanted. */
  isFinished = false;
  /** The reply was whole, nothing came after it, and both sides would have another on this connection. */
  isConnectionReusable = false;
  /** More came than the reply. */
  hasSurplusBytes = false;
  private head: { reply: ReplyHead; body: BodyReader } | null = null;
  private text = '';
  private interimReplies = 0;
  private bytesRead = 0;
  private bytesStored = 0;

  /** The status and headers are complete, so the verdict stands. */
  get hasHead(): boolean {
    return this.head !== null;
  }

  /** @throws AttemptFailure `protocol` where what comes is no HTTP. */
  read(chunk: Buffer): void {
    let used = 0;
    while (this.head === null && used < chunk.length) used += this.readHead(chunk.subarray(used));
    if (this.head !== null) this.readBody(chunk.subarray(used), this.head);
  }

  /** Takes bytes up to the end of a head, and tells how many. */
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

/** A head that can no longer become one is refused at once, not when the time is up. */
function assertPossibleHead(text: string): void {
  const hasHttpPrefix = 'HTTP/1.'.startsWith(text.slice(0, 7));
  if (!hasHttpPrefix || text.length > MAX_HEAD_BYTES || /(?:^|[^\r])\n/.test(text)) throw new AttemptFailure('protocol');
}
