import { CancellationScope } from '@temporalio/workflow';

/** Runs tasks one after another in the order of their calls, even if one fails or the run gets a cancellation request. */
export class Mutex {
  private tail: Promise<unknown> = Promise.resolve();
  private pendingCount = 0;

  /** True if no task is running or waiting. */
  get isIdle(): boolean {
    return this.pendingCount === 0;
  }

  runExclusive<T>(work: () => Promise<T>): Promise<T> {
    this.pendingCount += 1;
    const onSettled = (): void => void (this.pendingCount -= 1);
    const result = this.tail.then(() => CancellationScope.nonCancellable(work));
    this.tail = result.then(onSettled, onSettled);
    return result;
  }
}
