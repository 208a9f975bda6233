import type { WorkflowInterceptors } from '@temporalio/workflow';

const RESERVED = '__temporal_';

/**
 * A signal whose name begins as Temporal's own do makes the SDK throw, and with that every later task of the run: it is given another
 * name before it is looked at, and then refused like any name that nobody knows.
 */
export const interceptors = (): WorkflowInterceptors => ({
  internals: [
    {
      activate(input, next) {
        for (const { signalWorkflow } of input.activation.jobs ?? []) {
          if (signalWorkflow?.signalName?.startsWith(RESERVED)) signalWorkflow.signalName = `"${signalWorkflow.signalName}"`;
        }
        next(input);
      },
    },
  ],
});
