import { Runtime } from '@temporalio/worker';

let isInstalled = false;

/** Temporal's runtime, once in a process. It leaves signals to the test runner, and logs nothing. */
export function installRuntime(): void {
  if (!isInstalled) Runtime.install({ shutdownSignals: [], logger: warningsLogger });
  isInstalled = true;
}

const ignore = (): void => undefined;
/** Warnings that workers and workflows of this test process logged. */
export const warnings: { message: string; meta?: object }[] = [];
const warn = (message: string, meta?: object): void => void warnings.push({ message, ...(meta && { meta }) });
const warningsLogger = { log: ignore, trace: ignore, debug: ignore, info: ignore, warn, error: ignore };
