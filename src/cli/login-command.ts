import type { Command } from 'commander';
import { addExamples } from './program';
import { DEFAULT_URL, keepLogin, originOf } from './login';
import { wrongUse } from './problems';
import { StudioClient } from './studio-client';
import type { Terminal } from './terminal';

const TOKEN = /^lps_[0-9a-f]{64}$/;

/** `trade-print login`: the token is never an argument, because those are in histories and lists of processes. */
export function addLogin(program: Command, terminal: Terminal): void {
  const login = program
    .command('login')
    .description('read a token of the studio API from standard input, try it, and keep it in a file that only you can read')
    .option('--studio <url>', `where the studio API is (else STUDIO_URL, else ${DEFAULT_URL})`);
  addExamples(login, ['login < .data/admin-token', 'login --studio https://studio.example']);
  login.action(async ({ studio }: { studio?: string }) => {
    const url = originOf(studio ?? (terminal.env.STUDIO_URL || DEFAULT_URL));
    const token = (await terminal.secret(`token for ${url}: `)).trim();
    if (!TOKEN.test(token)) throw wrongUse('that is no token of the studio API: lps_ and 64 hexadecimal figures');
    await new StudioClient({ url, token }).send({ method: 'GET', path: '/orders', query: { limit: '1' } });
    terminal.out(`kept in ${keepLogin(terminal.env, { url, token })}\n`);
  });
}
