import { Runtime } from '@temporalio/worker';
import { ThreadedVMWorkflowCreator } from '@temporalio/worker/lib/workflow/threaded-vm';

let isInstalled = false;

/** Temporal's runtime, once in a process. It leaves signals to the test runner, and logs nothing. */
export function installRuntime(): void {
  if (isInstalled) return;
  Runtime.install({ shutdownSignals: [], logger: warningsLogger });
  shareWorkflowThreads();
  isInstalled = true;
}

const ignore = (): void => undefined;
/** Warnings that workers and workflows of this test process logged. */
export const warnings: { message: string; meta?: object }[] = [];
const warn = (message: string, meta?: object): void => void warnings.push({ message, ...(meta && { meta }) });
const warningsLogger = { log: ignore, trace: ignore, debug: ignore, info: ignore, warn, error: ignore };

/**
 * Lets later workers with the same workflow code use the threads of the first. A thread loads the SDK and the code, which costs half a CPU
 * second. A worker that stops still removes its workflows from the thread.
 */
function shareWorkflowThreads(): void {
  const create = ThreadedVMWorkflowCreator.create.bind(ThreadedVMWorkflowCreator);
  const creators = new Map<string, ReturnType<typeof create>>();
  ThreadedVMWorkflowCreator.create = (options) => {
    const key = [options.workflowBundle.code, ...options.registeredActivityNames].join('\n');
    const creator = creators.get(key) ?? create(options);
    creators.set(key, creator);
    return creator;
  };
  ThreadedVMWorkflowCreator.prototype.destroy = () => Promise.resolve();
}
