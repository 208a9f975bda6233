import { AsyncLocalStorage } from 'node:async_hooks';
import { KeyedQueue, QueueOverloaded } from '../../../src/runtime/keyed-queue';

/** A task that the test ends. */
function createWork() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => ended, end };
}

describe('KeyedQueue', () => {
  it('runs two tasks of a key concurrently and the others in order', async () => {
    const turns = new KeyedQueue({ concurrency: 2, maxWaiting: 10, maxWaitMs: 10_000 });
    const began: number[] = [];
    const works = Array.from({ length: 4 }, createWork);
    const all = works.map(({ run }, index) =>
      turns.run('acc_1', () => {
        began.push(index);
        return run();
      }),
    );
    await new Promise((resolve) => setImmediate(resolve));
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

  it('does not delay other keys', async () => {
    const turns = new KeyedQueue({ concurrency: 2, maxWaiting: 10, maxWaitMs: 10_000 });
    const stuck = [createWork(), createWork()];
    const held = stuck.map(({ run }) => turns.run('acc_1', run));
    await expect(turns.run('acc_2', async () => 'done')).resolves.toBe('done');
    for (const { end } of stuck) end();
    await Promise.all(held);
  });

  it('refuses a task that waited too long without starting it', async () => {
    const turns = new KeyedQueue({ concurrency: 1, maxWaiting: 10, maxWaitMs: 10 });
    const stuck = createWork();
    const held = turns.run('acc_1', stuck.run);
    const never = jest.fn();
    await expect(turns.run('acc_1', never)).rejects.toThrow(QueueOverloaded);
    stuck.end();
    await held;
    expect(never).not.toHaveBeenCalled();
    await expect(turns.run('acc_1', async () => 'done')).resolves.toBe('done');
  });

  it('does not count tasks that waited too long, so another one may wait', async () => {
    const turns = new KeyedQueue({ concurrency: 1 });
    const stuck = createWork();
    const held = turns.run('acc_1', stuck.run);
    const brief = { maxWaiting: 1, maxWaitMs: 1 };
    await expect(turns.run('acc_1', async () => 'done', brief)).rejects.toThrow('waited 1 ms');
    const next = turns.run('acc_1', async () => 'done', { maxWaiting: 1 });
    expect(turns.size('acc_1')).toBe(2);
    await expect(turns.run('acc_1', async () => 'done', { maxWaiting: 1 })).rejects.toThrow('1 tasks are waiting');
    stuck.end();
    await Promise.all([held, next]);
    expect(turns.keys()).toEqual([]);
  });

  it('does not start a task that was aborted while waiting; running tasks continue', async () => {
    const turns = new KeyedQueue({ concurrency: 1 });
    const stuck = createWork();
    const stop = new AbortController();
    const held = turns.run('acc_1', stuck.run, { stop: stop.signal });
    await new Promise((resolve) => setImmediate(resolve));
    const never = jest.fn();
    const stopped = turns.run('acc_1', never, { stop: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(stopped).rejects.toThrow('stopped');
    await expect(turns.run('acc_2', never, { stop: stop.signal })).rejects.toThrow('stopped');
    expect(turns.size('acc_1')).toBe(1);
    stuck.end();
    await held;
    expect(never).not.toHaveBeenCalled();
  });

  it('starts the next task after a failed one', async () => {
    const turns = new KeyedQueue({ concurrency: 1, maxWaiting: 10, maxWaitMs: 10_000 });
    const failing = turns.run('acc_1', async () => {
      throw new Error('no');
    });
    const next = turns.run('acc_1', async () => 'done');
    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('done');
  });

  it('runs a waiting task in the context of its caller, so its spans belong to the right trace', async () => {
    const queue = new KeyedQueue({ concurrency: 1 });
    const context = new AsyncLocalStorage<string>();
    const read = async () => context.getStore();
    const results = ['first', 'second'].map((name) => context.run(name, () => queue.run('acc_1', read)));
    await expect(Promise.all(results)).resolves.toEqual(['first', 'second']);
  });

  it('refuses a task at once while too many wait, also before it is queued', async () => {
    const queue = new KeyedQueue({ concurrency: 1, maxWaiting: 1, maxWaitMs: 10_000 });
    const first = createWork();
    const running = [queue.run('acc_1', first.run), queue.run('acc_1', async () => undefined)];
    await expect(queue.run('acc_1', async () => 'started')).rejects.toThrow(QueueOverloaded);
    expect(() => queue.assertCapacity('acc_1')).toThrow(QueueOverloaded);
    expect(() => queue.assertCapacity('acc_2')).not.toThrow();
    first.end();
    await Promise.all(running);
    expect(() => queue.assertCapacity('acc_1')).not.toThrow();
  });
});
