/**
 * Imported first by each process. A container's first process ignores signals without a handler, and the other modules take a second to
 * load.
 */
const isProcess = require.main?.filename.startsWith(__dirname) === true;

/** Ends a process that has not started. */
const exit = (): void => process.exit(0);

if (isProcess) process.once('SIGTERM', exit).once('SIGINT', exit);

/** Resolves on SIGTERM or SIGINT. */
export function onTermination(): Promise<void> {
  return new Promise((resolve) => {
    process.removeListener('SIGTERM', exit).removeListener('SIGINT', exit);
    process.on('SIGTERM', resolve).on('SIGINT', resolve);
  });
}
