import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10;
const WINDOW_MS = 100;
/** With a longer mean delay, requests wait for the processor. Without load it is below 1 ms. */
const MAX_DELAY_MS = 5;

/**
 * Measures the delay of the event loop ten times a second, and calls `onChange` when the loop begins or ends to be late.
 * @returns ends the measurement
 */
export function watchEventLoop(onChange: (isLate: boolean) => void): () => void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let wasLate = false;
  const timer = setInterval(() => {
    const isLate = delays.mean / 1e6 - RESOLUTION_MS > MAX_DELAY_MS;
    delays.reset();
    if (isLate !== wasLate) onChange(isLate);
    wasLate = isLate;
  }, WINDOW_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    delays.disable();
  };
}
