import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { Client } from 'pg';
import { findFreePort } from '../../../scripts/start/ports';
import { projectRoot } from '../../../scripts/start/project';
import { newStudioToken } from '../../../src/security/api-keys';
import { newSecretsKey } from '../../../src/security/secrets-keys';
import { anAccount } from '../../support/accounts';
import { openDatabase } from '../../../src/db/database';
import { anEndpoint } from '../../support/endpoints';
import { anOrder } from '../../support/baskets';
import { HttpClient } from '../../support/client';
import { waitFor } from '../../support/wait-for';

/** Whether other users have any right on a file or folder. A temporary one may be gone. */
const isOpenToOthers = (path: string): boolean => ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;

/** Null if a temporary file or folder is gone. */
function ifThere<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function containsSecret(path: string, secrets: string[]): boolean {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const content = ifThere(() => readFileSync(path));
  return content !== null && secrets.some((secret) => content.includes(secret));
}

/** All files below a folder except symbolic links. */
function listBelow(folder: string): string[] {
  return (ifThere(() => readdirSync(folder, { withFileTypes: true })) ?? []).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isSymbolicLink() ? [] : entry.isDirectory() ? [path, ...listBelow(path)] : [path];
  });
}

describe('Files of npm start', () => {
  const parent = mkdtempSync(join(tmpdir(), 'trade-print-private-'));
  const dataDir = join(parent, 'data');
  const adminToken = newStudioToken();
  let started: ChildProcess;
  let said = '';
  let api: number;

  /** Makes all files readable for all users, as after a copy. */
  function createOpenFiles(): void {
    for (const folder of ['', 'logs', 'outbox', 'artwork/acc']) mkdirSync(join(dataDir, folder), { recursive: true });
    for (const [name, text] of [
      ['admin-token', adminToken],
      ['logs/api.log', adminToken],
      ['outbox/old.eml', 'To: ada@example.com'],
      ['artwork/acc/old', 'dunes'],
      ['secrets-key', newSecretsKey('kept')],
    ]) {
      writeFileSync(join(dataDir, name ?? ''), `${text}\n`);
      chmodSync(join(dataDir, name ?? ''), 0o644);
    }
    for (const folder of [parent, dataDir, ...listBelow(dataDir).filter((path) => lstatSync(path).isDirectory())]) chmodSync(folder, 0o755);
  }

  beforeAll(async () => {
    execFileSync(process.execPath, [join(projectRoot, 'scripts', 'set-up', 'prepare.mjs'), 'build'], { stdio: 'pipe' });
    createOpenFiles();
    const [studio, storage, temporal, ui] = [await findFreePort(), await findFreePort(), await findFreePort(), await findFreePort()];
    api = await findFreePort();
    started = spawn(
      'sh',
      ['-c', 'umask 022; exec "$0" "$1"', process.execPath, join(projectRoot, 'dist', 'scripts', 'start', 'start.js')],
      {
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          http_proxy: 'http://127.0.0.1:1', // nothing on this machine is reached through it
          DATA_DIR: dataDir,
          LOG_LEVEL: 'debug',
          CONFIRMATION_DELAY: '0s',
          API_PORT: String(api),
          STUDIO_PORT: String(studio),
          MANAGEMENT_PORT: '0',
          STORAGE_PORT: String(storage),
          TEMPORAL_PORT: String(temporal),
          TEMPORAL_UI_PORT: String(ui),
        },
      },
    );
    for (const output of [started.stdout, started.stderr]) output?.on('data', (chunk: Buffer) => void (said += chunk.toString()));
    await waitFor(
      'the service is ready',
      async () => {
        if (started.exitCode !== null) throw new Error(said);
        return said.includes('Trade print is ready');
      },
      600_000,
    );
  });
  afterAll(async () => {
    if (started?.exitCode === null) {
      const ended = new Promise((resolve) => started.once('close', resolve));
      started.kill('SIGTERM');
      await ended;
    }
    rmSync(parent, { recursive: true, force: true });
  });

  it("are readable by their owner only, also with umask 022 and wider modes before: keys, tokens, passwords, logs, mails, artwork, Temporal's file", async () => {
    const { port, password, clusterDir } = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')) as {
      port: number;
      password: string;
      clusterDir?: string;
    };
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/trade_print`;
    const database = await openDatabase(url, 2);
    const account = await anAccount(database);
    await anEndpoint(database, account.accountId, 'https://hooks.example.com/in', 'live');
    await anOrder(new HttpClient(`http://127.0.0.1:${api}/v1`, account.liveKey), { whiteLabel: false });
    await waitFor('the confirmation is in the outbox', async () =>
      readdirSync(join(dataDir, 'outbox')).some((name) => name.startsWith('confirmation') && name.endsWith('.eml')),
    );
    await database.close();

    const ours = listBelow(dataDir).filter((path) => !path.startsWith(join(dataDir, 'postgresql-'))); // programs that PostgreSQL's account runs
    for (const name of [
      'admin-token',
      'postgres.json',
      'secrets-key',
      'npm-start.running',
      'temporal.db',
      'logs.previous/api.log',
      'logs/api.log',
      'logs/relay.log',
      'logs/temporal.log',
      'logs/postgres.log',
      'outbox/old.eml',
      'artwork/acc/old',
    ]) {
      expect(ours).toContain(join(dataDir, name));
    }
    // As root, the group of CHILD_USER reaches the pictures that are being inspected.
    const pictures = ours.filter((path) => path.startsWith(join(dataDir, 'inspection') + sep));
    expect(ours.filter((path) => isOpenToOthers(path) && !pictures.includes(path))).toEqual([]);
    expect(pictures.filter((path) => ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o007) !== 0)).toEqual([]);
    if (clusterDir !== undefined) expect([clusterDir, ...listBelow(clusterDir)].filter(isOpenToOthers)).toEqual([]);
    // As root, PostgreSQL's own user passes through the folder and can list nothing.
    expect((lstatSync(dataDir).mode & 0o777).toString(8)).toBe(process.getuid?.() === 0 ? '711' : '700');
    expect(readFileSync(join(dataDir, 'admin-token'), 'utf8').trim()).toBe(adminToken);
    const secrets = [adminToken, password, ...(await findSecrets(url))];
    const holding = listBelow(dataDir).filter((path) => containsSecret(path, secrets));
    expect(holding.length).toBeGreaterThan(2);
    expect(holding.filter(isOpenToOthers)).toEqual([]);
  });

  async function findSecrets(url: string): Promise<string[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    const found = await client.query<{ secret: string }>(
      'SELECT value AS secret FROM service_secrets UNION SELECT secret FROM webhook_endpoints',
    );
    await client.end();
    return found.rows.map(({ secret }) => secret);
  }
});
