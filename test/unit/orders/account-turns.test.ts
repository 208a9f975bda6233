import { AccountTurns } from '../../../src/orders/account-turns';

/** A piece of work that ends when it is told to. */
function work() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => ended, end };
}

describe('turns of an account', () => {
  it('two at once go on, the others wait, in the order they came', async () => {
    const turns = new AccountTurns();
    const began: number[] = [];
    const works = Array.from({ length: 4 }, work);
    const all = works.map(({ run }, index) =>
      turns.run('acc_1', () => {
        began.push(index);
        return run();
      }),
    );
    await Promise.resolve();
    expect(began).toEqual([0, 1]);
    works[1]?.end();
    await all[1];
    expect(began).toEqual([0, 1, 2]);
    works[0]?.end();
    await all[0];
    expect(began).toEqual([0, 1, 2, 3]);
    for (const { end } of works) end();
    await Promise.all(all);
  });

  it('accounts do not wait for each other', async () => {
    const turns = new AccountTurns();
    const stuck = [work(), work()];
    const held = stuck.map(({ run }) => turns.run('acc_1', run));
    await expect(turns.run('acc_2', async () => 'done')).resolves.toBe('done');
    for (const { end } of stuck) end();
    await Promise.all(held);
  });

  it('who waits too long is told so, and nothing of it was begun; the next goes on as ever', async () => {
    const turns = new AccountTurns(1, 10);
    const stuck = work();
    const held = turns.run('acc_1', stuck.run);
    const never = jest.fn();
    await expect(turns.run('acc_1', never)).rejects.toThrow('too much under way');
    stuck.end();
    await held;
    expect(never).not.toHaveBeenCalled();
    await expect(turns.run('acc_1', async () => 'done')).resolves.toBe('done');
  });

  it('work that fails gives its turn on', async () => {
    const turns = new AccountTurns(1);
    const failing = turns.run('acc_1', async () => {
      throw new Error('no');
    });
    const next = turns.run('acc_1', async () => 'done');
    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('done');
  });
});
