/** Far more than any answer has: what goes on for longer is not collected to its end. */
export const LONGEST_ANSWER_BYTES = 67_108_864;

/** The body of an answer; null where it is longer than that. */
export async function textOf(response: Response): Promise<string | null> {
  // A redirect in a page has none, and what a fetch of one's own gives may lack it.
  if (!response.body) return response.text();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let [text, sizeBytes] = ['', 0];
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    sizeBytes += read.value.length;
    if (sizeBytes > LONGEST_ANSWER_BYTES) {
      await reader.cancel().catch(() => undefined);
      return null;
    }
    text += decoder.decode(read.value, { stream: true });
  }
  return text + decoder.decode();
}
