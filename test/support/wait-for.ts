const PAUSE_MS = 20;

/**
 * Asks again and again until the answer is neither null, undefined nor false, and returns it.
 * @throws Error naming what was waited for when `withinMs` have passed.
 */
export async function waitFor<T>(what: string, probe: () => Promise<T | null | undefined | false>, withinMs = 60_000): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await probe();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${withinMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
