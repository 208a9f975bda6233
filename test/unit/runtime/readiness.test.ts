import { cacheChecks } from '../../../src/runtime/readiness';

describe('cached readiness checks', () => {
  /** A part that answers until `hang` is called, with a clock. */
  function aPart() {
    let nowMs = 0;
    let fail: ((error: Error) => void) | undefined;
    let isHanging = false;
    const passes = (): Promise<boolean> =>
      isHanging
        ? new Promise((_resolve, reject) => {
            fail = reject;
          })
        : Promise.resolve(true);
    return {
      read: cacheChecks({ part: { passes } }, () => nowMs),
      wait: (ms: number): void => void (nowMs += ms),
      hang: (): void => void (isHanging = true),
      fail: (): void => fail?.(new Error('away')),
    };
  }

  it('return the last result while a part is slow, and then its failure', async () => {
    const part = aPart();
    expect(await part.read()).toEqual({ part: 'ok' });
    part.hang();
    for (const ms of [1_100, 1_100, 1_100]) {
      part.wait(ms);
      expect(await part.read()).toEqual({ part: 'ok' });
    }
    part.fail();
    expect(await part.read()).toEqual({ part: 'not reachable' });
  });

  it('wait for the checks without a recent result', async () => {
    const part = aPart();
    expect(await part.read()).toEqual({ part: 'ok' });
    part.hang();
    part.wait(31_000);
    const answer = part.read();
    part.fail();
    expect(await answer).toEqual({ part: 'not reachable' });
  });
});
