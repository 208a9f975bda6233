import { ApiError } from '../../../domain/errors';

/**
 * Whole lists are read by pages in turn, a few pages at once, so that however many are asked for, other requests find connections and time
 * between them. Nobody holds a turn while a client takes what was read.
 */
export class PageTurns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly atOnce: number,
    private readonly mostWaiting: number,
  ) {}

  /** @throws ApiError RATE_LIMITED while too many wait, for a list of which nothing was read yet */
  async run<T>(isFirst: boolean, work: () => Promise<T>): Promise<T> {
    if (isFirst && this.waiting.length >= this.mostWaiting)
      throw new ApiError('RATE_LIMITED', `${this.mostWaiting} lists are waiting to be read; ask for this one again shortly`, undefined, 2);
    if (this.running < this.atOnce) this.running += 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next(); // its turn goes on as the next one's
    }
  }
}
