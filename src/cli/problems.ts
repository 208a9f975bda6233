/** How a command ends (docs/cli.md "Exit codes"). */
export const EXIT = { done: 0, refused: 1, wrongUse: 2, notReached: 3 } as const;
type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export class CommandProblem extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode = EXIT.refused,
  ) {
    super(message);
  }
}

/** A command that cannot be meant so: nothing was sent. */
export const wrongUse = (message: string): CommandProblem => new CommandProblem(message, EXIT.wrongUse);

/** An AggregateError of Node, such as of refused connections, has no message of its own. */
export function errorMessage(error: unknown): string {
  const first: unknown = error instanceof AggregateError && error.message === '' ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}
