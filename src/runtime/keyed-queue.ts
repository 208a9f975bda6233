import pLimit, { type LimitFunction } from 'p-limit';

/** Limits of waiting. A task that exceeds them is refused. Default: no limits. */
export interface WaitLimits {
  /** Tasks of one key that may wait. */
  maxWaiting?: number;
  maxWaitMs?: number;
  /** Aborting ends the wait. A running task continues. */
  stop?: AbortSignal;
}

export interface KeyedQueueOptions extends WaitLimits {
  /** Concurrent tasks for each key. */
  concurrency: number;
}

interface Tasks {
  limit: LimitFunction;
  running: number;
  /** Waiting tasks. Refused tasks do not count, although `limit` still holds them. */
  waiting: number;
}

/** A task was refused before it started, because too many tasks of its key were waiting or it waited too long. */
export class QueueOverloaded extends Error {
  override readonly name = 'QueueOverloaded';
}

/** Runs the tasks of each key in the order of arrival, a few at a time. Keys do not wait for each other. */
export class KeyedQueue {
  private readonly tasks = new Map<string, Tasks>();

  constructor(private readonly options: KeyedQueueOptions) {}

  /** Running and waiting tasks of the key. */
  size(key: string): number {
    const tasks = this.tasks.get(key);
    return tasks === undefined ? 0 : tasks.running + tasks.waiting;
  }

  /** Waiting tasks of all keys. */
  get waitingCount(): number {
    return [...this.tasks.values()].reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** Keys with running or waiting tasks. */
  keys(): string[] {
    return [...this.tasks.keys()];
  }

  /** @throws QueueOverloaded if a new task of this key would be refused */
  assertCapacity(key: string, { maxWaiting = Infinity }: WaitLimits = this.options): void {
    if (this.size(key) >= this.options.concurrency + maxWaiting) throw new QueueOverloaded(`${maxWaiting} tasks are waiting`);
  }

  /**
   * @param waitLimits overrides the queue's limits
   * @throws QueueOverloaded if too many tasks of the key wait or the task waited too long; the reason of `stop` if it aborted
   */
  async run<T>(key: string, task: () => Promise<T>, waitLimits: WaitLimits = this.options): Promise<T> {
    const { maxWaitMs, stop } = waitLimits;
    stop?.throwIfAborted();
    this.assertCapacity(key, waitLimits);
    const tasks = this.tasks.get(key) ?? { limit: pLimit(this.options.concurrency), running: 0, waiting: 0 };
    this.tasks.set(key, tasks);
    return new Promise((resolve, reject) => {
      let refusal: Error | null = null;
      const endWait = (): void => {
        tasks.waiting -= 1;
        clearTimeout(timer);
        stop?.removeEventListener('abort', refuse);
      };
      const refuse = (): void => {
        endWait();
        refusal = stop?.aborted === true ? (stop.reason as Error) : new QueueOverloaded(`the task waited ${maxWaitMs} ms`);
        reject(refusal);
      };
      const timer = maxWaitMs === undefined ? undefined : setTimeout(refuse, maxWaitMs);
      stop?.addEventListener('abort', refuse);
      tasks.waiting += 1;
      tasks
        .limit(async () => {
          if (refusal !== null) throw refusal;
          endWait();
          tasks.running += 1;
          try {
            return await task();
          } finally {
            tasks.running -= 1;
          }
        })
        .finally(() => tasks.limit.activeCount + tasks.limit.pendingCount === 0 && this.tasks.delete(key))
        .then(resolve, reject);
    });
  }
}
