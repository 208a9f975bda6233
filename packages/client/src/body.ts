import type { FetchResponse } from './options.js';

/** Far more than any answer has: what goes on for longer is not collected to its end. */
export const MAX_RESPONSE_BYTES = 67_108_864;

/** The body of an answer; null where it is longer than that. */
export async function readBody(response: FetchResponse): Promise<Uint8Array<ArrayBuffer> | null> {
  const body = response.body as Partial<ReadableStream<Uint8Array<ArrayBuffer>>> | null | undefined;
  // A redirect in a page has no body, and the answer of a custom fetch may have none or a Node stream.
  if (typeof body?.getReader !== 'function') return new Uint8Array(await response.arrayBuffer());
  const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let sizeBytes = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    sizeBytes += read.value.length;
    if (sizeBytes > MAX_RESPONSE_BYTES) {
      await reader.cancel().catch(() => undefined);
      return null;
    }
    chunks.push(read.value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
