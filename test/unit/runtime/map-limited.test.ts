import { mapLimited } from '../../../src/runtime/map-limited';

describe('mapLimited', () => {
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it('processes a limited number of items at a time and returns results in order', async () => {
    const open: (() => void)[] = [];
    const results = mapLimited([1, 2, 3], 2, (item) => new Promise<number>((resolve) => open.push(() => resolve(item * 10))));
    await settle();
    expect(open).toHaveLength(2);
    open[1]?.();
    await settle();
    expect(open).toHaveLength(3);
    open[2]?.();
    open[0]?.();
    expect(await results).toEqual([10, 20, 30]);
  });

  it('starts no item after an error, and rejects with it when the others have ended', async () => {
    const begun: number[] = [];
    let end: () => void = () => undefined;
    let isOver = false;
    const results = mapLimited([1, 2, 3], 2, async (item) => {
      begun.push(item);
      if (item === 2) throw new Error('no');
      await new Promise<void>((resolve) => (end = resolve));
    });
    const failed = results.catch((error: unknown) => {
      isOver = true;
      return error;
    });
    await settle();
    expect([begun, isOver]).toEqual([[1, 2], false]);
    end();
    expect(await failed).toEqual(new Error('no'));
    expect(begun).toEqual([1, 2]);
  });
});
