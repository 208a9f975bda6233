import { MockActivityEnvironment } from '@temporalio/testing';
import type { ActivityDeps } from '../../activities/deps';
import { createSweepActivities } from '../../activities/sweep';

/** Never aborts: for steps of the sweep that are called past Temporal. */
export const NEVER_ABORTED = new AbortController().signal;

/** One run of the sweeper in this process: every step as an activity. @returns what the steps did */
export async function sweepOnce(deps: ActivityDeps): Promise<Record<string, any>> {
  const steps = Object.values(createSweepActivities(deps));
  return Object.assign({}, ...(await Promise.all(steps.map((step) => new MockActivityEnvironment().run(step)))));
}
