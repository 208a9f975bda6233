import { Command, CommanderError } from 'commander';
import { addArtwork } from './artwork';
import { API_COMMANDS } from './commands';
import { DEFAULT_URL, storeLogin, parseStudioUrl } from './login';
import { CommandFailure, EXIT, usageError } from './errors';
import { addApiCommands, addExamples } from './program';
import { addServiceCommands } from './service-commands';
import { StudioClient } from './studio-client';
import type { Terminal } from './terminal';
import { addWatch } from './watch';

/** Runs `trade-print` with these arguments and returns the exit code (docs/cli.md "Exit codes"). */
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

/** Maps `help accounts pay` to `accounts pay --help`, because commander's `help` shows only the group `accounts`. */
const normalizeHelpArguments = ([first, ...rest]: readonly string[]): string[] =>
  first === 'help' && rest.length > 1 ? [...rest, '--help'] : first === undefined ? [] : [first, ...rest];

export function createProgram(terminal: Terminal): Command {
  const program = new Command('trade-print')
    .description('Command line of the trade print order service')
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.err(text) })
    .showHelpAfterError('(add --help to a command for its options and examples)')
    .addHelpText(
      'after',
      '\nEvery command has examples: trade-print orders list --help. Exit codes: 0 success, 1 refused, 2 wrong usage, 3 service unreachable.',
    );
  addLogin(program, terminal);
  addApiCommands(program, API_COMMANDS, terminal);
  addWatch(program, terminal);
  addArtwork(program, terminal);
  addServiceCommands(program, terminal);
  return program;
}

const TOKEN_PATTERN = /^lps_[0-9a-f]{64}$/;

/** `trade-print login`. The token is not an argument, because shell histories and process lists show arguments. */
function addLogin(program: Command, terminal: Terminal): void {
  const login = program
    .command('login')
    .description('read a studio API token from standard input, check it, and store it in a file that only you can read')
    .option('--studio <url>', `URL of the studio API (default: STUDIO_URL, else ${DEFAULT_URL})`);
  addExamples(login, ['login < .data/admin-token', 'login --studio https://studio.example']);
  login.action(async ({ studio }: { studio?: string }) => {
    const url = parseStudioUrl(studio ?? (terminal.env.STUDIO_URL || DEFAULT_URL));
    const token = (await terminal.readSecret(`token for ${url}: `)).trim();
    if (!TOKEN_PATTERN.test(token)) throw usageError('the token is invalid; a studio API token is lps_ and 64 hexadecimal digits');
    await new StudioClient({ url, token }).send({ method: 'GET', path: '/orders', query: { limit: '1' } });
    terminal.out(`stored in ${storeLogin(terminal.env, { url, token })}\n`);
  });
}
