import pLimit from 'p-limit';

/**
 * Runs `work` on every item, `concurrency` at a time. After an error it starts no more items and rejects when the running ones have ended.
 * @returns the results in the order of the items
 */
export async function mapLimited<T, R>(items: readonly T[], concurrency: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const limit = pLimit(concurrency);
  const errors: unknown[] = [];
  const results: R[] = [];
  const run = async (item: T, index: number): Promise<void> => {
    if (errors.length > 0) return;
    try {
      results[index] = await work(item);
    } catch (error) {
      errors.push(error);
    }
  };
  await Promise.all(items.map((item, index) => limit(run, item, index)));
  if (errors.length > 0) throw errors[0];
  return results;
}
