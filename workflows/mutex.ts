import { CancellationScope } from '@temporalio/workflow';

/**
 * Runs pieces of work one after another in the order they were asked for, whether they succeed or not, and whether or not somebody
 * asked to cancel the run meanwhile.
 */
export class Mutex {
  private tail: Promise<unknown> = Promise.resolve();
  private pendingCount = 0;

  /** True while nothing is under way: then what is known now still holds for the next piece of work. */
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
