const AT_ONCE = 10;

/** Runs `work` on every item, ten at a time. Rejects with the first error, once the others of that ten have ended. */
export async function inGroups<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE) {
    const ended = await Promise.allSettled(items.slice(start, start + AT_ONCE).map(work));
    const failed = ended.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}
