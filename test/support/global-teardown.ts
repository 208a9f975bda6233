import { closeTestRun } from './global-setup';

/** Stops what `global-setup.ts` started. It does not run after a Ctrl-C; then the reaper does the same. */
export default async function globalTeardown(): Promise<void> {
  if (globalThis.testRun !== undefined) await closeTestRun(globalThis.testRun);
}
