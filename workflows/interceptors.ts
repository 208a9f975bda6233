import type { WorkflowInterceptors } from '@temporalio/workflow';

const RESERVED = '__temporal_';

/**
 * The SDK throws at a signal whose name begins like Temporal's own, and so does every later task of that run. Such a signal is therefore
 * renamed before anybody looks at it, and then refused like any unknown name.
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
