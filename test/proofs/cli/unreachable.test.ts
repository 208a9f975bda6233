import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { projectRoot } from '../../../scripts/start/project';
import { newSecret } from '../../../src/security/ids';
import { runInProcess, type CommandOutput } from '../../support/command-line';
import { createDatabase, type TestDatabase } from '../../support/database';
import { builtFile, temporalAddress } from '../../support/infrastructure';
import { listen } from '../../support/listen';
import { TEST_SECRETS_KEY } from '../../support/secrets';
import { newLeaf } from '../../service/webhooks/support/certificates';

const COMMANDS = [['migrate'], ['seed'], ['secrets', 'rotate'], ['tokens', 'create-admin', '--name', 'Iris'], ['reconcile', '--dry-run']];
const CLOSED_ADDRESS = '127.0.0.1:1';

describe('an unreachable service is one line that names its setting, and exit code 1', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database?.drop());

  const password = newSecret();
  const urlWith = (change: Partial<URL>): string => Object.assign(new URL(database.url), change).href;
  function expectOneLine({ code, stderr }: Pick<CommandOutput, 'code' | 'stderr'>, ...named: (string | RegExp)[]): void {
    expect([code, stderr.trimEnd().split('\n')]).toEqual([1, [expect.any(String)]]);
    for (const each of named) expect(stderr).toMatch(each);
    expect(stderr).not.toMatch(/^\s+at |undefined|\(\)/m);
    expect(stderr).not.toContain(password);
  }

  it.each(COMMANDS)('PostgreSQL is unreachable: %s %s', async (...args) => {
    const said = await runInProcess(args, {
      DATABASE_URL: `postgres://u:${password}@${CLOSED_ADDRESS}/prints`,
      TEMPORAL_ADDRESS: await temporalAddress(),
    });
    expectOneLine(said, 'DATABASE_URL', `${CLOSED_ADDRESS}/prints`, 'ECONNREFUSED');
  });

  it.each<[string, () => string, RegExp]>([
    ['a wrong role', () => urlWith({ username: 'nobody_of_ours', password }), /nobody_of_ours/],
    ['no such database', () => urlWith({ pathname: '/none_of_ours' }), /none_of_ours/],
    ['a name of two addresses', () => `postgres://u:${password}@localhost:1/prints`, /ECONNREFUSED/],
  ])('PostgreSQL refuses the connection: %s', async (_what, url, reason) => {
    expectOneLine(await runInProcess(['seed'], { DATABASE_URL: url() }), 'DATABASE_URL', reason);
  });

  it('the authority of PostgreSQL is not known, as at many providers', async () => {
    const secureContext = createSecureContext(newLeaf(null, { dnsName: 'localhost' }));
    const encrypted = createServer((socket) => {
      socket.once('data', () => {
        socket.write('S'); // accepts encryption
        new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => undefined);
      });
    });
    try {
      const url = `postgres://u:${password}@${await listen(encrypted)}/prints?sslmode=require`;
      expectOneLine(await runInProcess(['seed'], { DATABASE_URL: url }), 'DATABASE_URL', 'self-signed certificate', 'sslrootcert=');
    } finally {
      encrypted.close();
    }
  });

  it.each(['api', 'worker', 'relay', 'inspector'])('PostgreSQL refuses the role of the process: %s', async (name) => {
    const child = spawn(process.execPath, [builtFile('src', 'processes', `${name}.js`)], {
      env: {
        ...process.env,
        NODE_ENV: 'development',
        DATABASE_URL: urlWith({ username: 'nobody_of_ours', password }),
        SECRETS_KEY: TEST_SECRETS_KEY,
        TEMPORAL_ADDRESS: await temporalAddress(),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    expectOneLine({ code: code ?? -1, stderr }, 'DATABASE_URL', /nobody_of_ours/);
  });

  it('Temporal is unreachable, is another server, or lacks the namespace: migrate, reconcile and replay', async () => {
    const { host } = new URL(database.url);
    const expectUnreachable = async (args: string[]) => {
      const say = async (settings: Record<string, string>) => runInProcess(args, { DATABASE_URL: database.url, ...settings });
      const [nobody, other, nameless] = await Promise.all([
        say({ TEMPORAL_ADDRESS: CLOSED_ADDRESS }),
        say({ TEMPORAL_ADDRESS: host }),
        say({ TEMPORAL_ADDRESS: await temporalAddress(), TEMPORAL_NAMESPACE: 'none-of-ours' }),
      ]);
      expectOneLine(nobody, 'TEMPORAL_ADDRESS', CLOSED_ADDRESS);
      expectOneLine(other, 'TEMPORAL_ADDRESS', host);
      expectOneLine(nameless, 'TEMPORAL_NAMESPACE', 'none-of-ours');
    };
    await Promise.all([expectUnreachable(['migrate']), expectUnreachable(['reconcile', '--dry-run']), expectUnreachable(['replay'])]);
  });

  it('reconcile without a worker', async () => {
    const { code, stderr } = await runInProcess(['reconcile'], { DATABASE_URL: database.url, TEMPORAL_ADDRESS: await temporalAddress() });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^no worker .+ then try again\n$/)]);
  });

  it('npm run histories: no server, and an unknown workflow', async () => {
    const addresses = [CLOSED_ADDRESS, await temporalAddress()];
    const said = await Promise.all(addresses.map((address) => runRecordHistories('order/none-of-ours', address)));
    for (const [at, address] of addresses.entries())
      expectOneLine(said[at] ?? { code: null, stderr: '' }, 'TEMPORAL_ADDRESS', 'order/none-of-ours', address);
  });

  function runRecordHistories(workflowId: string, address: string): Promise<Pick<CommandOutput, 'code' | 'stderr'>> {
    const child = spawn(process.execPath, [join(projectRoot, 'scripts', 'run', 'record-histories.mjs'), workflowId], {
      env: { PATH: process.env.PATH, TEMPORAL_ADDRESS: address },
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()));
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, stderr })));
  }
});
