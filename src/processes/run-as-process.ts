import { ConfigError } from '../config/config';
import { DatabaseUnreachable, PoolerError } from '../db/database';
import { PRIVATE_UMASK } from '../platform/private-files';

/** Runs `main` if `program` is the main module, and exits with 0. If `main` fails, prints the error and exits with 1. */
export function runAsProcess(program: NodeJS.Module, main: () => Promise<void>): void {
  if (require.main !== program) return;
  process.umask(PRIVATE_UMASK);
  main().then(
    () => process.exit(0),
    (error: unknown) => {
      const isExpected = error instanceof ConfigError || error instanceof DatabaseUnreachable || error instanceof PoolerError;
      process.stderr.write(`${isExpected ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
      process.exit(1);
    },
  );
}
