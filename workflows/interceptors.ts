import type { WorkflowInterceptors } from '@temporalio/workflow';

const RESERVED = '__temporal_';

/**
 * The SDK throws at a signal whose name has Temporal's reserved prefix, and so does every later task of that run
 * (https://github.com/temporalio/sdk-typescript/issues/1599). The signal is renamed first, and then refused like any unknown name.
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
