import { Command, CommanderError } from 'commander';
import { API_COMMANDS } from './commands';
import { DEFAULT_URL, storeLogin, parseStudioUrl } from './login';
import { CommandFailure, EXIT, usageError } from './errors';
import { addApiCommands, addExamples } from './program';
import { addServiceCommands } from './service-commands';
import { StudioClient } from './studio-client';
import type { Terminal } from './terminal';
import { addWatch } from './watch';

/** `trade-print` with these arguments, from reading them to the exit code (docs/cli.md "Exit codes"). */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(normalizeHelpArguments(args), { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usageError;
    if (!(error instanceof CommandFailure)) throw error;
    if (error.message !== '') terminal.err(`${error.message}\n`);
    return error.exitCode;
  }
}

/** `help accounts pay` is asked for as `accounts pay --help` is; commander's own goes as far as the group alone. */
const normalizeHelpArguments = ([first, ...rest]: readonly string[]): string[] =>
  first === 'help' && rest.length > 1 ? [...rest, '--help'] : first === undefined ? [] : [first, ...rest];

export function createProgram(terminal: Terminal): Command {
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

const TOKEN_PATTERN = /^lps_[0-9a-f]{64}$/;

/** `trade-print login`: the token is never an argument, because those are in histories and lists of processes. */
function addLogin(program: Command, terminal: Terminal): void {
  const login = program
    .command('login')
    .description('read a token of the studio API from standard input, try it, and keep it in a file that only you can read')
    .option('--studio <url>', `where the studio API is (else STUDIO_URL, else ${DEFAULT_URL})`);
  addExamples(login, ['login < .data/admin-token', 'login --studio https://studio.example']);
  login.action(async ({ studio }: { studio?: string }) => {
    const url = parseStudioUrl(studio ?? (terminal.env.STUDIO_URL || DEFAULT_URL));
    const token = (await terminal.readSecret(`token for ${url}: `)).trim();
    if (!TOKEN_PATTERN.test(token)) throw usageError('that is no token of the studio API: lps_ and 64 hexadecimal figures');
    await new StudioClient({ url, token }).send({ method: 'GET', path: '/orders', query: { limit: '1' } });
    terminal.out(`kept in ${storeLogin(terminal.env, { url, token })}\n`);
  });
}
