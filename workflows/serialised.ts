/** Runs pieces of work one after another in the order they were asked for, whether they succeed or not. */
export class Serialised {
  private tail: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.tail.then(work);
    this.tail = result.catch(() => undefined);
    return result;
  }
}
