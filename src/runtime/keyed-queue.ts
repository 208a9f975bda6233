import pLimit, { type Limit } from 'p-limit';

export interface KeyedQueueOptions {
  /** Tasks of one key that run at the same time. */
  concurrency: number;
  /** Tasks of one key that may wait; any number without it. */
  maxWaiting?: number;
  /** How long a task may wait before it is refused, ms; for ever without it. */
  maxWaitMs?: number;
}

/** A task was refused and never started, because its key has too many tasks. */
export class QueueOverloaded extends Error {
  override readonly name = 'QueueOverloaded';
}

/** Runs the tasks of each key in the order of arrival, a few at a time. Keys do not wait for each other. */
export class KeyedQueue {
  private readonly limits = new Map<string, Limit>();

  constructor(private readonly options: KeyedQueueOptions) {}

  /** Tasks of the key that run or wait. */
  size(key: string): number {
    const limit = this.limits.get(key);
    return limit === undefined ? 0 : limit.activeCount + limit.pendingCount;
  }

  /** Keys with tasks that run or wait. */
  keys(): string[] {
    return [...this.limits.keys()];
  }

  /** @throws QueueOverloaded if a new task of this key would be refused at once */
  assertRoom(key: string): void {
    const { concurrency, maxWaiting = Infinity } = this.options;
    if (this.size(key) >= concurrency + maxWaiting) throw new QueueOverloaded(`${maxWaiting} tasks are waiting`);
  }

  /** @throws QueueOverloaded if too many tasks of the key wait, or the task waited too long */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    this.assertRoom(key);
    const limit = this.limits.get(key) ?? pLimit(this.options.concurrency);
    this.limits.set(key, limit);
    const { maxWaitMs } = this.options;
    return new Promise((resolve, reject) => {
      let refusal: QueueOverloaded | null = null;
      const refuse = (): void => reject((refusal = new QueueOverloaded(`the task waited ${maxWaitMs} ms`)));
      const timer = maxWaitMs === undefined ? undefined : setTimeout(refuse, maxWaitMs);
      limit(() => {
        clearTimeout(timer);
        return refusal === null ? task() : Promise.reject(refusal);
      })
        .finally(() => this.size(key) === 0 && this.limits.delete(key))
        .then(resolve, reject);
    });
  }
}
