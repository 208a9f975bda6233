/** Exit codes (docs/cli.md "Exit codes"). */
export const EXIT = { done: 0, refused: 1, usageError: 2, unreachable: 3 } as const;
type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export class CommandFailure extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode = EXIT.refused,
  ) {
    super(message);
  }
}

/** Wrong usage; nothing was sent. */
export const usageError = (message: string): CommandFailure => new CommandFailure(message, EXIT.usageError);

/** The message of an error. Node's AggregateError, as for refused connections, has no message, so its first error is used. */
export function errorMessage(error: unknown): string {
  const cause: unknown = error instanceof AggregateError && error.message === '' ? error.errors[0] : error;
  return cause instanceof Error ? cause.message : String(cause);
}
