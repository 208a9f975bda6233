import { Runtime } from '@temporalio/worker';

let installed = false;

/** Temporal's runtime, once in a process: it leaves signals to the test runner and logs nothing. */
export function installRuntime(): void {
  if (!installed) Runtime.install({ shutdownSignals: [], logger: silent });
  installed = true;
}

const silence = (): void => undefined;
const silent = { log: silence, trace: silence, debug: silence, info: silence, warn: silence, error: silence };
