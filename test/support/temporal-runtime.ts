import { Runtime } from '@temporalio/worker';

let installed = false;

/** Temporal's runtime, once in a process: it leaves signals to the test runner and logs nothing. */
export function installRuntime(): void {
  if (!installed) Runtime.install({ shutdownSignals: [], logger: silent });
  installed = true;
}

const silence = (): void => undefined;
/** What workers and workflows of this test process logged as warnings. */
export const warnings: { message: string; meta?: object }[] = [];
const warn = (message: string, meta?: object): void => void warnings.push({ message, ...(meta && { meta }) });
const silent = { log: silence, trace: silence, debug: silence, info: silence, warn, error: silence };
