import { ConfigError } from '../config';
import { PRIVATE_UMASK } from '../private-files';

/** Resolves on the first SIGTERM or SIGINT. */
export function onTermination(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
}

/** Runs `main` if this module is the started program, and exits with 0, or with 1 and the error. */
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
