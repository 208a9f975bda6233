import { addEventHandler } from 'jest-circus';

// Once in every process that runs test files. They share it with its modules, so that a file costs its tests and little else.

const DEFAULT_TIMEOUT_MS = 60_000;
const { setTimeout, clearTimeout } = globalThis;

// The programs that tests start are plain Node, and their temporary files go with the run's folder.
delete process.env['NODE_OPTIONS'];
process.env['TMPDIR'] = process.env['TEST_RUN_FOLDER'] ?? process.env['TMPDIR'];
// The runner disconnects when no file is left. Open servers and connections must not keep the process.
process.once('disconnect', () => process.exit());

type Work = () => unknown;

/** jest-light-runner knows no timeouts: every test and hook gets its own, or the default. */
addEventHandler((event, { currentDescribeBlock: { children, hooks } }) => {
  const added = event.name === 'add_test' ? children.at(-1) : event.name === 'add_hook' ? hooks.at(-1) : undefined;
  if (added === undefined || added.type === 'describeBlock' || added.fn === undefined) return;
  added.fn = bounded(added.fn as Work, added.timeout ?? DEFAULT_TIMEOUT_MS);
});

function bounded(work: Work, timeoutMs: number): () => Promise<void> {
  return async () => {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`timed out after ${timeoutMs} ms`)), timeoutMs);
    });
    try {
      await Promise.race([work(), timeout]);
    } finally {
      clearTimeout(timer);
    }
  };
}
