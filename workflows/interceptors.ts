import type { WorkflowInterceptors } from '@temporalio/workflow';

const RESERVED = '__temporal_';

/**
 * The SDK throws if a signal's name has Temporal's reserved prefix, and then every later task of the run fails
 * (https://github.com/temporalio/sdk-typescript/issues/1599). This interceptor renames such a signal, so the workflow refuses it like any
 * unknown signal.
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
