import { MockActivityEnvironment } from '@temporalio/testing';
import type { ActivityDeps } from '../../activities/deps';
import { createSweepActivities } from '../../activities/sweep';

/** Never aborts, for steps of the sweep that are called without Temporal. */
export const NEVER_ABORTED = new AbortController().signal;

/** Runs the sweeper once in this process, with every step as an activity. @returns the results of the steps */
export async function sweepOnce(deps: ActivityDeps): Promise<Record<string, any>> {
  const steps = Object.values(createSweepActivities(deps));
  return Object.assign({}, ...(await Promise.all(steps.map((step) => new MockActivityEnvironment().run(step)))));
}
