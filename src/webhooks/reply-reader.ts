import { EXCERPT_BYTES } from './excerpt';
import { AttemptFailure } from './outcome';
import { bodyReader, type BodyReader } from './reply-body';
import { parseHead, type ReplyHead } from './reply-head';

/** How much of a reply's body is read, and how large its status line and headers may be, in bytes. */
const REPLY_BYTES = 32 * 1024;
const HEAD_BYTES = 16 * 1024;

/** How many 1xx replies are passed over before the real one. */
const INTERIM_REPLIES = 10;

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
  finished = false;
  /** The reply was whole, nothing came after it, and both sides would have another on this connection. */
  reusable = false;
  /** More came than the reply. */
  surplus = false;
  private head: { reply: ReplyHead; body: BodyReader } | null = null;
  private text = '';
  private interim = 0;
  private bytesRead = 0;
  private bytesKept = 0;

  /** The status and headers are complete, so the verdict stands. */
  get answered(): boolean {
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
    this.text += bytes.toString('latin1', 0, HEAD_BYTES + 1 - before);
    const end = this.text.indexOf('\r\n\r\n', Math.max(0, before - 3));
    if (end < 0) {
      refuseUnfinished(this.text);
      return bytes.length;
    }
    this.takeHead(parseHead(this.text.slice(0, end)));
    this.text = '';
    return end + 4 - before;
  }

  private takeHead(reply: ReplyHead): void {
    if (reply.status === 101) this.status = 101;
    if (reply.status === 101 || (reply.status < 200 && this.interim === INTERIM_REPLIES)) throw new AttemptFailure('protocol');
    if (reply.status < 200) {
      this.interim += 1;
      return;
    }
    this.status = reply.status;
    this.head = { reply, body: bodyReader(reply.framing) };
  }

  private readBody(bytes: Buffer, { reply, body }: { reply: ReplyHead; body: BodyReader }): void {
    const used = body.read(bytes.subarray(0, REPLY_BYTES - this.bytesRead), (content) => this.keep(content));
    this.bytesRead += used;
    this.finished = body.whole || this.bytesRead >= REPLY_BYTES;
    this.surplus = body.whole && used < bytes.length;
    this.reusable = body.whole && !this.surplus && reply.keepAlive;
  }

  private keep(content: Buffer): void {
    if (content.length === 0 || this.bytesKept >= EXCERPT_BYTES) return;
    this.bytesKept += content.length;
    this.body.push(content);
  }
}

/** A head that can no longer become one is refused at once, not when the time is up. */
function refuseUnfinished(text: string): void {
  const begins = 'HTTP/1.'.startsWith(text.slice(0, 7));
  if (!begins || text.length > HEAD_BYTES || /(?:^|[^\r])\n/.test(text)) throw new AttemptFailure('protocol');
}
