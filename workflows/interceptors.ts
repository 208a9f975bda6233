import type { WorkflowInterceptors } from '@temporalio/workflow';

const RESERVED = '__temporal_';

/**
 * The SDK throws at a signal whose name has Temporal's reserved prefix, and fails every later task of that run
 * (https://github.com/temporalio/sdk-typescript/issues/1599). Renaming the signal first has it refused like any unknown name.
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
