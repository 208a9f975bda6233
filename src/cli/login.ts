import { lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { readUrl } from '../domain/urls';
import { writePrivate } from '../private-files';
import { TOOL_SETTINGS } from '../settings';
import { wrongUse } from './problems';
import type { Terminal } from './terminal';

export interface Login {
  /** Origin of the studio API, without a slash at its end. */
  url: string;
  token: string;
}

export const DEFAULT_URL = TOOL_SETTINGS.STUDIO_URL.default;
const OTHERS = 0o077;

function loginFile(env: Terminal['env']): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'trade-print', 'login.json');
}

/** Whose API is asked, and as whom: `--studio`, else STUDIO_URL, else where one logged in. @throws CommandProblem */
export function loginFor(env: Terminal['env'], url: string | undefined): Login {
  const given = url ?? (env.STUDIO_URL || undefined);
  const kept = env.STUDIO_TOKEN && given !== undefined ? null : readLogin(loginFile(env));
  const at = originOf(given ?? kept?.url ?? DEFAULT_URL);
  if (env.STUDIO_TOKEN) return { url: at, token: env.STUDIO_TOKEN };
  if (kept === null)
    throw wrongUse(
      `there is no token: set STUDIO_TOKEN, or run \`trade-print login\` once (npm start keeps the admin token in DATA_DIR/admin-token)`,
    );
  // A token is shown to nobody but the service it was given for.
  if (kept.url !== at) throw wrongUse(`the login is for ${kept.url}, not for ${at}: set STUDIO_TOKEN, or run \`trade-print login\` for it`);
  return kept;
}

/** Keeps it in a file that nobody else can read; answers where. */
export function keepLogin(env: Terminal['env'], login: Login): string {
  const file = loginFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writePrivate(file, `${JSON.stringify(login)}\n`);
  return file;
}

/** As it is used: scheme, host and port. @throws CommandProblem */
export function originOf(url: string): string {
  const read = readUrl(url);
  if (read === null || !/^https?:$/.test(read.protocol) || read.username !== '' || read.search !== '' || read.hash !== '')
    throw wrongUse(`STUDIO_URL or --studio takes where the studio API is, such as ${DEFAULT_URL}`);
  return `${read.origin}${read.pathname}`.replace(/(?<!\/)\/+$/, '');
}

function readLogin(file: string): Login | null {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (!found.isFile() || (found.mode & OTHERS) !== 0)
    throw wrongUse(`${file} holds a token and others may read it: chmod 600 ${file}, and revoke the token if somebody may have`);
  try {
    const { url, token } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Login>;
    if (typeof url === 'string' && typeof token === 'string') return { url, token };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw wrongUse(`${file} is no login: run \`trade-print login\` again`);
}
