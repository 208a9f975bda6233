let aheadMs = 0;

/** Learns the time of the service from the header `Date` of a response. The clock of a browser can be wrong by minutes. */
export function learnTime(date: string | null): void {
  const sentAtMs = Date.parse(date ?? '');
  if (!Number.isNaN(sentAtMs)) aheadMs = Date.now() - sentAtMs;
}

/** The time of the service, ms. Before the first response, that of the browser. */
export const serviceNow = (): number => Date.now() - aheadMs;
