export interface KeyedQueueOptions {
  /** Tasks of one key that run at the same time. */
  concurrency: number;
  /** Tasks of one key that may wait. */
  maxWaiting: number;
  /** How long a task may wait before it is refused, ms. */
  maxWaitMs: number;
}

/** A task was refused and never started, because its key has too many tasks. */
export class QueueOverloaded extends Error {
  override readonly name = 'QueueOverloaded';
}

interface Lane {
  running: number;
  waiting: (() => void)[];
}

/** Runs the tasks of each key in the order of arrival, a few at a time. Keys do not wait for each other. */
export class KeyedQueue {
  private readonly lanes = new Map<string, Lane>();

  constructor(private readonly options: KeyedQueueOptions) {}

  /** @throws QueueOverloaded if a new task of this key would be refused at once */
  assertRoom(key: string): void {
    const waiting = this.lanes.get(key)?.waiting.length ?? 0;
    if (waiting >= this.options.maxWaiting) throw new QueueOverloaded(`${waiting} tasks are waiting`);
  }

  /** @throws QueueOverloaded if too many tasks of the key wait, or the task waited too long */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    this.assertRoom(key);
    await this.enter(key);
    try {
      return await task();
    } finally {
      this.leave(key);
    }
  }

  private enter(key: string): Promise<void> {
    const lane = this.lanes.get(key) ?? { running: 0, waiting: [] };
    this.lanes.set(key, lane);
    if (lane.running < this.options.concurrency) {
      lane.running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        lane.waiting.splice(lane.waiting.indexOf(start), 1);
        reject(new QueueOverloaded(`the task waited ${this.options.maxWaitMs} ms`));
      }, this.options.maxWaitMs);
      lane.waiting.push(start);
    });
  }

  private leave(key: string): void {
    const lane = this.lanes.get(key);
    if (lane === undefined) return;
    const next = lane.waiting.shift();
    if (next === undefined) lane.running -= 1;
    else next(); // the next task takes this task's place
    if (lane.running === 0) this.lanes.delete(key);
  }
}
