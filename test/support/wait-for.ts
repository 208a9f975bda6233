/** Pauses for a tenth of the time waited so far, between 20 and 250 ms, because every question costs time too. */
const pauseSince = (startedMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.min(Math.max((Date.now() - startedMs) / 10, 20), 250)));

/**
 * Repeats `probe` until it returns a value other than null, undefined and false. Returns that value.
 * @throws Error with the description after `timeoutMs`
 */
export async function waitFor<T>(description: string, probe: () => Promise<T | null | undefined | false>, timeoutMs = 120_000): Promise<T> {
  const startedMs = Date.now();
  for (;;) {
    const result = await probe();
    if (result !== null && result !== undefined && result !== false) return result;
    if (Date.now() > startedMs + timeoutMs) throw new Error(`waited ${timeoutMs} ms for ${description}`);
    await pauseSince(startedMs);
  }
}

type Repeated<T> = { [M in keyof jest.Matchers<void, T>]: jest.Matchers<Promise<void>, T>[M] };

/**
 * `expect` for values that a page shows a moment later: `await expectSoon(() => rows.count()).toBe(3)`. `read` runs many times, also after it
 * has failed.
 * @throws the last failed expectation after `timeoutMs`
 */
export function expectSoon<T>(read: () => Promise<T>, timeoutMs = 120_000): Repeated<T> {
  const repeat = async (matcher: string | symbol, expected: unknown[]): Promise<void> => {
    const startedMs = Date.now();
    for (;;) {
      try {
        const value = await read();
        Reflect.get(expect(value), matcher)(...expected);
        return;
      } catch (error) {
        if (Date.now() > startedMs + timeoutMs) throw error;
      }
      await pauseSince(startedMs);
    }
  };
  return new Proxy({} as Repeated<T>, {
    get:
      (_, matcher) =>
      (...expected: unknown[]) =>
        repeat(matcher, expected),
  });
}
