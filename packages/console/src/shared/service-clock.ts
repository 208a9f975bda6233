/** The browser's time minus the service's, ms. */
let aheadMs = 0;
const SECOND_MS = 1000;

/**
 * Learns the time of the service from the header `Date` of a response to a request sent at `requestedAtMs`. The clock of a browser can be
 * wrong by minutes. The header has no fractions of a second, so a clock that agrees with it stays as it is.
 */
export function learnTime(date: string | null, requestedAtMs: number): void {
  const secondMs = Date.parse(date ?? '');
  if (Number.isNaN(secondMs)) return;
  const [least, most] = [requestedAtMs - (secondMs + SECOND_MS), Date.now() - secondMs];
  aheadMs = Math.min(Math.max(aheadMs, least), most);
}

/** The time of the service, ms. Before the first response, that of the browser. */
export const serviceNow = (): number => Date.now() - aheadMs;
