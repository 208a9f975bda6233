import { lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { readUrl } from '../domain/urls';
import { writePrivate } from '../platform/private-files';
import { TOOL_SETTINGS } from '../config/settings';
import { usageError } from './errors';
import type { Terminal } from './terminal';

export interface Login {
  /** Base URL of the studio API, without a trailing slash. */
  url: string;
  token: string;
}

export const DEFAULT_URL = TOOL_SETTINGS.STUDIO_URL.default;
const GROUP_AND_OTHERS = 0o077;
/** Windows reports every file as readable by all. */
const HAS_MODES = process.platform !== 'win32';
/** The visible ASCII characters, which an HTTP header can contain. */
const HEADER_TEXT = /^[\x21-\x7e]+$/;

function loginFile(env: Terminal['env']): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'trade-print', 'login.json');
}

/** The URL is `--studio`, else STUDIO_URL, else the URL of the stored login. @throws CommandFailure */
export function resolveLogin(env: Terminal['env'], url: string | undefined): Login {
  const requestedUrl = url ?? (env.STUDIO_URL || undefined);
  const token = env.STUDIO_TOKEN?.trim();
  const storedLogin = token && requestedUrl !== undefined ? null : readLogin(loginFile(env));
  const studioUrl = parseStudioUrl(requestedUrl ?? storedLogin?.url ?? DEFAULT_URL);
  if (token && !HEADER_TEXT.test(token))
    throw usageError('STUDIO_TOKEN has a character that is not ASCII, or a space: copy the token again');
  if (token) return { url: studioUrl, token };
  if (storedLogin === null)
    throw usageError(
      `the token is missing: set STUDIO_TOKEN, or run \`trade-print login\` (npm start stores the admin token in DATA_DIR/admin-token)`,
    );
  // The token must not reach another service.
  if (storedLogin.url !== studioUrl)
    throw usageError(`the login is for ${storedLogin.url}, not for ${studioUrl}: set STUDIO_TOKEN, or run \`trade-print login\` for it`);
  return storedLogin;
}

/** Stores the login in a file that only the user can read, and returns its path. */
export function storeLogin(env: Terminal['env'], login: Login): string {
  const file = loginFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writePrivate(file, `${JSON.stringify(login)}\n`);
  return file;
}

/** The base URL. @throws CommandFailure */
export function parseStudioUrl(url: string): string {
  const parsed = readUrl(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.search !== '' || parsed.hash !== '')
    throw usageError(`STUDIO_URL or --studio takes the URL of the studio API, such as ${DEFAULT_URL}`);
  return `${parsed.origin}${parsed.pathname}`.replace(/(?<!\/)\/+$/, '');
}

function readLogin(file: string): Login | null {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isFile() || (HAS_MODES && (stats.mode & GROUP_AND_OTHERS) !== 0))
    throw usageError(
      `other users can read the token in ${file}: run chmod 600 ${file}, and revoke the token if another person may have read it`,
    );
  try {
    const { url, token } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Login>;
    if (typeof url === 'string' && typeof token === 'string') return { url, token };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw usageError(`${file} does not contain a login: run \`trade-print login\` again`);
}
