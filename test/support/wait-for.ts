const POLL_INTERVAL_MS = 20;

/**
 * Repeats `probe` until it returns a value other than null, undefined and false. Returns that value.
 * @throws Error with the description after `timeoutMs`
 */
export async function waitFor<T>(description: string, probe: () => Promise<T | null | undefined | false>, timeoutMs = 120_000): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const result = await probe();
    if (result !== null && result !== undefined && result !== false) return result;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms for ${description}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
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
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      try {
        const value = await read();
        Reflect.get(expect(value), matcher)(...expected);
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
  };
  return new Proxy({} as Repeated<T>, {
    get:
      (_, matcher) =>
      (...expected: unknown[]) =>
        repeat(matcher, expected),
  });
}
