const POLL_INTERVAL_MS = 20;

/**
 * Repeats `probe` until it returns a value other than null, undefined and false. Returns that value.
 * @throws Error with the description after `timeoutMs`
 */
export async function waitFor<T>(description: string, probe: () => Promise<T | null | undefined | false>, timeoutMs = 60_000): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const result = await probe();
    if (result !== null && result !== undefined && result !== false) return result;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms for ${description}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}
