import { Command, CommanderError } from 'commander';
import { API_COMMANDS } from './commands';
import { addLogin } from './login-command';
import { CommandProblem, EXIT } from './problems';
import { addApiCommands } from './program';
import { addServiceCommands } from './service-commands';
import type { Terminal } from './terminal';
import { addWatch } from './watch';

/** `trade-print` with these arguments, from reading them to the exit code (docs/cli.md "Exit codes"). */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await programFor(terminal).parseAsync(asAsked(args), { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongUse;
    if (!(error instanceof CommandProblem)) throw error;
    if (error.message !== '') terminal.err(`${error.message}\n`);
    return error.exitCode;
  }
}

/** `help accounts pay` is asked for as `accounts pay --help` is; commander's own goes as far as the group alone. */
const asAsked = ([first, ...rest]: readonly string[]): string[] =>
  first === 'help' && rest.length > 1 ? [...rest, '--help'] : first === undefined ? [] : [first, ...rest];

/** Every command there is. */
export function programFor(terminal: Terminal): Command {
  const program = new Command('trade-print')
    .description('Command line of the trade print order service')
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.err(text) })
    .showHelpAfterError('(--help after a command shows what it takes, with examples)')
    .addHelpText(
      'after',
      '\nEvery command has examples: trade-print orders list --help. Exit codes: 0 done, 1 refused, 2 wrong use, 3 not reached.',
    );
  addLogin(program, terminal);
  addApiCommands(program, API_COMMANDS, terminal);
  addWatch(program, terminal);
  addServiceCommands(program, terminal);
  return program;
}
