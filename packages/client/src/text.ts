/** Far more than any answer has: what goes on for longer is not collected to its end. */
export const LONGEST_ANSWER_BYTES = 67_108_864;

/** The body of an answer; null where it is longer than that. */
export async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  // A redirect in a page has none, and what a fetch of one's own gives may lack it.
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    sizeBytes += read.value.length;
    if (sizeBytes > LONGEST_ANSWER_BYTES) {
      await reader.cancel().catch(() => undefined);
      return null;
    }
    chunks.push(read.value);
  }
  const bytes = new Uint8Array(sizeBytes);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
