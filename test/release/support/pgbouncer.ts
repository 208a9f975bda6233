import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { findFreePort } from '../../../scripts/start/ports';
import { ensurePostgresAccount } from '../../../scripts/start/postgres-account';
import type { ProcessManager } from '../../../scripts/start/processes';
import { pgBouncerPath } from '../../support/infrastructure';

export interface PgBouncerOptions {
  folder: string;
  processManager: ProcessManager;
  /** URLs of the database itself, one for each role. */
  urls: readonly string[];
  settings?: Readonly<Record<string, string>>;
}

export interface PgBouncer {
  /** The same role and database through the pooler. */
  urlThrough(url: string): string;
  /** Runs a command of its console, such as RECONNECT. */
  command(text: string): Promise<Record<string, unknown>[]>;
  log(): string;
}

const CONSOLE_PASSWORD = 'console';

/** Starts PgBouncer in transaction mode with four connections for each role. Its log and settings are below `folder`. */
export async function startPgBouncer({ folder, processManager, urls, settings = {} }: PgBouncerOptions): Promise<PgBouncer> {
  const port = await findFreePort();
  const [server] = urls.map((url) => new URL(url));
  if (server === undefined) throw new Error('no role');
  const users = urls.map((url) => new URL(url)).map(({ username, password }) => [username, decodeURIComponent(password)]);
  const file = (name: string) => join(folder, `pgbouncer-${port}.${name}`);
  writeFileSync(file('users'), [...users, ['console', CONSOLE_PASSWORD]].map(([name, password]) => `"${name}" "${password}"\n`).join(''));
  const values = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: file('users'),
    admin_users: 'console',
    pool_mode: 'transaction',
    default_pool_size: 4,
    max_client_conn: 300,
    ...settings,
  };
  const lines = Object.entries(values).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(file('ini'), ['[databases]', `* = host=${server.hostname} port=${server.port}`, '[pgbouncer]', ...lines, ''].join('\n'));
  const { command, args } = ownLoader();
  const running = await processManager.start({
    name: 'PgBouncer',
    command,
    // It refuses to run as root, and changes to this user after it has read its settings.
    args: [...args, ...(ensurePostgresAccount() === undefined ? [] : ['--user', 'postgres']), file('ini')],
    logFile: file('log'),
    stage: 1,
  });
  const command_ = async (text: string): Promise<Record<string, unknown>[]> => {
    const client = new Client({ host: '127.0.0.1', port, user: 'console', password: CONSOLE_PASSWORD, database: 'pgbouncer' });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  };
  await running.whenReady(() => command_('SHOW VERSION').then(() => true as const));
  return {
    urlThrough: (url) => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    command: command_,
    log: () => readFileSync(file('log'), 'utf8'),
  };
}

/** Debian 13's PgBouncer runs with Debian 13's libraries. */
function ownLoader(): { command: string; args: string[] } {
  const program = pgBouncerPath();
  const root = resolve(program, '..', '..', '..');
  const [triplet] = readdirSync(join(root, 'usr', 'lib')).filter((name) => name.endsWith('-linux-gnu'));
  const libraries = join(root, 'usr', 'lib', triplet ?? '');
  const loader = readdirSync(libraries).find((name) => /^ld-linux.*\.so\.\d$/.test(name)) ?? '';
  return { command: join(libraries, loader), args: ['--library-path', libraries, program] };
}
