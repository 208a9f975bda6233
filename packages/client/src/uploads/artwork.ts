import type { Deadline } from '../deadline.js';
import { isNode } from '../runtime.js';

/** Bytes, or what gives them: a Node stream is an async iterable. A Blob can be sent again after a failure, a stream cannot. */
export type ArtworkSource = Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Artwork whose exact length is known. */
export interface Artwork {
  sizeBytes: number;
  /** All of it, where it is at hand; the bytes can then be sent more than once. */
  blob: Blob | null;
  open(): ReadableStream<Uint8Array>;
}

/** More than the service takes: what goes on for longer is not collected to its end (specification "POST /uploads"). */
const MAX_BYTES = 524_288_000;
const CHUNK_BYTES = 65_536;

/**
 * A stream is passed on as it comes where its length is told and fetch can stream; else it is collected first, in memory.
 * @throws TypeError where the source is none, or longer or shorter than told.
 */
export async function toArtwork(source: ArtworkSource, sizeBytes: number | undefined, deadline: Deadline): Promise<Artwork> {
  const blob =
    toBlob(source) ??
    (sizeBytes !== undefined && isNode ? null : await collectChunks(iterateChunks(source as AsyncIterable<Uint8Array>), deadline));
  if (blob === null) return { sizeBytes: sizeBytes ?? 0, blob, open: () => toStream(iterateChunks(source as AsyncIterable<Uint8Array>)) };
  if (sizeBytes !== undefined && sizeBytes !== blob.size)
    throw new TypeError(`sizeBytes is ${sizeBytes}, and the artwork has ${blob.size} bytes`);
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
    throw new TypeError('the artwork takes a Blob, bytes, or a stream of bytes');
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('the stream of the artwork gives something else than bytes');
    yield chunk;
  }
}

/** A Blob's own stream may give all of it at once, and nobody could tell how far it is. */
async function* sliceBlob(blob: Blob): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < blob.size; at += CHUNK_BYTES) yield new Uint8Array(await blob.slice(at, at + CHUNK_BYTES).arrayBuffer());
}

/** Not every browser lets a stream be iterated over. */
async function* iterateStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Ends with the call: nobody waits for the rest of a stream that is given up. */
async function collectChunks(chunks: AsyncIterable<Uint8Array>, deadline: Deadline): Promise<Blob> {
  const parts: BlobPart[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    deadline.throwIfOver();
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_BYTES) throw new TypeError(`the artwork has more than ${MAX_BYTES} bytes`);
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
