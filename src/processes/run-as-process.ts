import { ConfigError } from '../config';
import { PRIVATE_UMASK } from '../private-files';

/** Resolves on the first SIGTERM or SIGINT. */
export function onTermination(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
}

/** Runs `main` where this module is the program that was started, and ends the process with it: 0, or 1 with what went wrong. */
export function runAsProcess(program: NodeJS.Module, main: () => Promise<void>): void {
  if (require.main !== program) return;
  process.umask(PRIVATE_UMASK);
  main().then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`${error instanceof ConfigError ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
      process.exit(1);
    },
  );
}
