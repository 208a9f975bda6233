import type { FetchResponse } from './options.js';

/** Bytes that a Blob accepts. `Uint8Array<ArrayBuffer>` would need TypeScript 5.7. */
export type Bytes = Uint8Array & { readonly buffer: ArrayBuffer };

/** Longer than any response of the API. The client reads no further, to limit memory. */
export const MAX_RESPONSE_BYTES = 67_108_864;

/** Reads the body of a response. Returns null if it is longer than MAX_RESPONSE_BYTES. */
export async function readBody(response: FetchResponse): Promise<Bytes | null> {
  const body = response.body as Partial<ReadableStream<Uint8Array<ArrayBuffer>>> | null | undefined;
  // In a browser, a redirect has no body. The response of a custom fetch may have no body or a Node stream.
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
