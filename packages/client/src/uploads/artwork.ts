import type { Deadline } from '../deadline.js';
import { isNode } from '../runtime.js';

/** Bytes or a stream of bytes, such as a Node stream. A Blob can be sent again after a failure; a stream cannot. */
export type ArtworkSource = Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Artwork whose exact length is known. */
export interface Artwork {
  sizeBytes: number;
  /** The complete artwork, which can be sent more than once; null for a stream. */
  blob: Blob | null;
  open(): ReadableStream<Uint8Array>;
}

/** The maximum size that the service accepts (specification "POST /uploads"). The client reads no more of a stream. */
const MAX_BYTES = 524_288_000;
const CHUNK_BYTES = 65_536;

/**
 * Converts a source to artwork of known length. A stream is sent without buffering if `sizeBytes` is set and fetch can stream; otherwise it
 * is read into memory first.
 * @throws TypeError if the source has an unsupported type or a length other than `sizeBytes`
 */
export async function toArtwork(source: ArtworkSource, sizeBytes: number | undefined, deadline: Deadline): Promise<Artwork> {
  const blob =
    toBlob(source) ??
    (sizeBytes !== undefined && isNode ? null : await collectChunks(iterateChunks(source as AsyncIterable<Uint8Array>), deadline));
  if (blob === null) return { sizeBytes: sizeBytes ?? 0, blob, open: () => toStream(iterateChunks(source as AsyncIterable<Uint8Array>)) };
  if (sizeBytes !== undefined && sizeBytes !== blob.size)
    throw new TypeError(`sizeBytes is ${sizeBytes}, but the artwork has ${blob.size} bytes`);
  return { sizeBytes: blob.size, blob, open: () => toStream(sliceBlob(blob)) };
}

function toBlob(source: ArtworkSource): Blob | null {
  if (source instanceof Blob) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return new Blob([source as BlobPart]);
  return null;
}

async function* iterateChunks(source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = source instanceof ReadableStream ? iterateStream(source) : source;
  if (typeof (chunks as Partial<AsyncIterable<Uint8Array>> | null)?.[Symbol.asyncIterator] !== 'function')
    throw new TypeError('the artwork must be a Blob, bytes, or a stream of bytes');
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('the stream of the artwork must yield Uint8Array chunks');
    yield chunk;
  }
}

/** Yields a Blob in small chunks, to report progress. The Blob's own stream may yield one large chunk. */
async function* sliceBlob(blob: Blob): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < blob.size; at += CHUNK_BYTES) yield new Uint8Array(await blob.slice(at, at + CHUNK_BYTES).arrayBuffer());
}

/** Reads a stream with a reader, because some browsers cannot iterate over a ReadableStream. */
async function* iterateStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Reads all chunks into memory. Stops when the call has ended. */
async function collectChunks(chunks: AsyncIterable<Uint8Array>, deadline: Deadline): Promise<Blob> {
  const parts: BlobPart[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    deadline.throwIfOver();
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_BYTES) throw new TypeError(`the artwork is longer than ${MAX_BYTES} bytes, the maximum`);
    parts.push(chunk as BlobPart);
  }
  return new Blob(parts);
}

function toStream(chunks: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return();
    },
  });
}
