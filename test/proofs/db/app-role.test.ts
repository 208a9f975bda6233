import { Client } from 'pg';
import { NO_TIMEOUTS, openDatabase, TIMEOUTS, type Database } from '../../../src/db/database';
import { FIRST_PRICE_BOOK } from '../../../src/db/seed/price-book';
import { newSecret } from '../../../src/security/ids';
import { anOrder } from '../../support/baskets';
import { runInProcess } from '../../support/command-line';
import { anEndpoint } from '../../support/endpoints';
import { pgAdminUrl, temporalAddress } from '../../support/infrastructure';
import { startService, type TestService } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { startReceiver, type WebhookReceiver } from '../../support/webhook-receiver';
import { sweepOnce } from '../../support/sweep';

const DENIED = /permission denied|must be owner/;

describe("The application's own database role", () => {
  const id = newSecret().slice(0, 12);
  const [owner, app, fresh, foreign, database] = [`owner_${id}`, `app_${id}`, `fresh_${id}`, `foreign_${id}`, `roles_${id}`];
  const [ownerPassword, appPassword] = [newSecret(), `p'a"s s-${newSecret()}`];
  let adminUrl: string;
  const databaseUrlOf = (role: string, password: string): string => {
    const url = new URL(adminUrl);
    Object.assign(url, { username: role, password: encodeURIComponent(password), pathname: `/${database}` });
    return url.href;
  };
  let settings: Record<string, string>;
  const migrateAs = (role: string) => runInProcess(['migrate', '--app-role', role], settings);
  let admin: Database;
  let asApp: Database;
  let service: TestService;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    adminUrl = await pgAdminUrl();
    settings = {
      DATABASE_URL: databaseUrlOf(owner, ownerPassword),
      DATABASE_APP_PASSWORD: appPassword,
      TEMPORAL_ADDRESS: await temporalAddress(),
    };
    // On a busy machine, creating and removing a database may take long.
    admin = await openDatabase(adminUrl, 1, NO_TIMEOUTS);
    // The owner is no superuser, as in a deployment.
    await admin.run(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD '${ownerPassword}'`);
    await admin.run(`CREATE DATABASE ${database} OWNER ${owner}`);
    expect(await migrateAs(app)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining(`the role ${app} has the permissions of the processes`),
    });
    expect(await runInProcess(['seed'], settings)).toMatchObject({ code: 0, stderr: '' });
    receiver = await startReceiver();
    service = await startService({ env: { DATABASE_URL: databaseUrlOf(app, appPassword), WEBHOOK_ALLOWED_ORIGINS: receiver.origin } });
    asApp = await openDatabase(databaseUrlOf(app, appPassword), 2);
  });
  afterAll(async () => {
    await asApp?.close();
    await service?.stop();
    await receiver?.close();
    await admin.run(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    for (const role of [app, fresh, foreign, owner]) await admin.run(`DROP ROLE IF EXISTS ${role}`);
    await admin.close();
  });

  it('is sufficient for a complete job, from the quote to the webhooks, for the office and for the sweeper', async () => {
    const { trade, studio, account, deps } = service;
    await anEndpoint(deps.database, account.accountId, receiver.url);
    const order = await anOrder(trade(account.testKey));
    const told = await studio().post(`/orders/${order.orderId}/milestones`, { milestoneId: 'm1', type: 'production_started' });
    expect([told.status, told.json.data.status]).toEqual([200, 'in_production']);
    await waitFor('both events are delivered', async () => {
      const rows = await asApp.rows<{ state: string }>(`SELECT state FROM webhook_deliveries WHERE order_id = $1`, [order.orderId]);
      return rows.length === 2 && rows.every(({ state }) => state === 'delivered');
    });
    expect((await studio().send('PATCH', '/settings', { criticalRushEnabled: true })).status).toBe(200);
    expect((await studio().post('/price-books', { book: FIRST_PRICE_BOOK })).status).toBe(201);
    expect((await studio().get('/audit')).json.data.length).toBeGreaterThan(0);
    await studio().post(`/orders/${order.orderId}/milestones`, { milestoneId: 'm2', type: 'cancelled', note: 'Ada rang: too late' });
    const erased = await studio().post(`/accounts/${account.accountId}/erase`, { before: '2998-01-01' });
    expect([erased.status, erased.json.data.orders]).toEqual([200, 1]);
    expect(JSON.stringify((await studio().get('/audit')).json)).not.toContain('Ada');
    await sweepOnce(deps);
    expect(service.logLines.filter((line) => DENIED.test(line))).toEqual([]);
  });

  it('is sufficient for reversals of a credit note, a payment and a refund', async () => {
    const { trade, studio, account } = service;
    const order = await anOrder(trade(account.testKey));
    const { orderId } = order;
    const reason = 'it was another order';
    const done = async (...[path, body]: Parameters<ReturnType<typeof studio>['post']>) => {
      const { status, text } = await studio().post(path, body);
      expect([path, status < 300 ? '' : text]).toEqual([path, '']);
    };
    const [{ invoice_number: number } = { invoice_number: '' }] = await asApp.rows<{ invoice_number: string }>(
      'SELECT invoice_number FROM invoices WHERE order_id = $1',
      [orderId],
    );
    await done(`/invoices/${number}/credit-notes`, { creditNoteId: 'n-1', amountCents: 100, reason });
    await done(`/orders/${orderId}/credit-notes/n-1/reverse`, { reversalId: 'n-1/back', reason });
    await done(`/orders/${orderId}/payments`, { paymentId: 'p-1', amountCents: order.totalCents });
    await done(`/invoices/${number}/credit-notes`, { creditNoteId: 'n-2', amountCents: 500, reason });
    await done(`/accounts/${account.accountId}/refunds`, { refundId: 'r-1', environment: 'test', amountCents: 300 });
    await done(`/accounts/${account.accountId}/refunds/r-1/reverse`, { reversalId: 'r-1/back', reason });
    expect((await studio().post(`/orders/${orderId}/payments/p-1/reverse`, { reason: 'bounced' })).status).toBe(200);
    await expect(asApp.rows('UPDATE credit_notes SET amount_cents = 1')).rejects.toThrow(DENIED);
  });

  it.each([
    'CREATE TABLE mine (id int)',
    'CREATE TEMPORARY TABLE mine (id int)',
    'CREATE SCHEMA mine',
    'ALTER TABLE orders ADD COLUMN mine int',
    'DROP TABLE order_attention',
    'CREATE INDEX mine ON orders (id)',
    'TRUNCATE rate_windows',
    'TRUNCATE audit_log',
    'DELETE FROM audit_log',
    `UPDATE audit_log SET actor = 'nobody'`,
    `DELETE FROM migrations`,
    `INSERT INTO migrations (timestamp, name) VALUES (1, 'Mine1')`,
    `SELECT setval('order_numbers_live', 1)`,
    'CREATE OR REPLACE FUNCTION admit_hit(text, text, integer, integer) RETURNS integer LANGUAGE sql AS $$ SELECT 0 $$',
    'CREATE ROLE mine',
    'CREATE DATABASE mine',
    'ALTER TABLE webhook_deliveries DISABLE TRIGGER ALL',
  ])('may not: %s', async (statement) => {
    await expect(asApp.rows(statement)).rejects.toThrow(DENIED);
  });

  it('keeps its rights when the migration runs again, also on tables of a migration without the role setting', async () => {
    const again = await migrateAs(app);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('up to date')]);
    const asOwner = await openDatabase(databaseUrlOf(owner, ownerPassword), 1);
    await asOwner.run('CREATE TABLE later (id bigint GENERATED ALWAYS AS IDENTITY, n int)');
    await asOwner.close();
    await asApp.run('INSERT INTO later (n) VALUES (1)');
    await expect(asApp.rows('DELETE FROM audit_log')).rejects.toThrow(DENIED);
  });

  it('has the timeouts in this database, also on a connection that asks for none', async () => {
    const client = new Client({ connectionString: databaseUrlOf(app, appPassword) });
    await client.connect();
    try {
      const { rows } = await client.query('SELECT name, setting::integer AS ms FROM pg_settings WHERE name = ANY ($1)', [
        Object.keys(TIMEOUTS),
      ]);
      expect(Object.fromEntries(rows.map(({ name, ms }: { name: string; ms: number }) => [name, ms]))).toEqual(TIMEOUTS);
    } finally {
      await client.end();
    }
  });

  it('of another administrator is accepted once that one has set the timeouts', async () => {
    await admin.run(`CREATE ROLE ${foreign} LOGIN`);
    const migrateWithoutPassword = () => runInProcess(['migrate', '--app-role', foreign], { ...settings, DATABASE_APP_PASSWORD: '' });
    const refused = await migrateWithoutPassword();
    const [, statements = ''] = /let its administrator run: (.+)\n$/.exec(refused.stderr) ?? [];
    expect([refused.code, statements]).toEqual([1, expect.stringContaining(`ALTER ROLE ${foreign} IN DATABASE ${database} SET`)]);
    await admin.run(statements);
    expect(await migrateWithoutPassword()).toMatchObject({ code: 0, stderr: '' });
  });

  it('does not send the password in clear text to the server', async () => {
    const found = await admin.row<{ kept: string }>(`SELECT rolpassword AS kept FROM pg_authid WHERE rolname = $1`, [app]);
    expect(found?.kept).toMatch(/^SCRAM-SHA-256\$4096:/);
  });

  it.each([
    ['the owner itself', () => owner, /owns the tables/],
    ['a superuser', () => new URL(adminUrl).username, /superuser/],
    ['no name', () => 'x"; DROP TABLE orders; --', /is not a role name/],
  ])('cannot be %s: refused with the reason, and nothing changes', async (_what, role, reason) => {
    const { code, stderr } = await migrateAs(role());
    expect([code, stderr]).toEqual([1, expect.stringMatching(reason)]);
    expect(stderr).not.toContain('    at ');
  });

  it.each([
    ['CREATEROLE', /has CREATEROLE/],
    ['CREATEDB', /has CREATEDB/],
    ['REPLICATION', /has REPLICATION/],
    ['BYPASSRLS', /has BYPASSRLS/],
    ['IN ROLE pg_write_all_data', /member of pg_write_all_data/],
    ['IN ROLE pg_execute_server_program', /member of pg_execute_server_program/],
    ['IN ROLE pg_read_all_data NOINHERIT', /member of pg_read_all_data/],
  ])(
    'cannot be a role that bypasses grants: %s, directly or through membership; refused with the reason and without grants',
    async (power, reason) => {
      const [strong, through] = [`strong_${id}`, `through_${id}`];
      await admin.run(`CREATE ROLE ${strong} LOGIN ${power}`);
      await admin.run(`CREATE ROLE ${through} LOGIN IN ROLE ${strong}`);
      try {
        const said = [await migrateAs(strong), await migrateAs(through)];
        for (const { code, stderr } of said) expect([code, stderr.trimEnd().split('\n')]).toEqual([1, [expect.stringMatching(reason)]]);
        expect(
          await admin.rows(`SELECT 1 FROM pg_authid WHERE rolname IN ($1, $2) AND rolpassword IS NOT NULL`, [strong, through]),
        ).toEqual([]);
      } finally {
        for (const role of [through, strong]) await admin.run(`DROP ROLE ${role}`);
      }
    },
  );

  it('without a password gets a message with instructions when it is new', async () => {
    const { code, stdout } = await runInProcess(['migrate', '--app-role', fresh], { ...settings, DATABASE_APP_PASSWORD: '' });
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`the new role ${fresh} has no password: set DATABASE_APP_PASSWORD and run this again`)),
    ]);
    expect((await migrateAs(fresh)).stdout).not.toContain('no password');
    const asFresh = await openDatabase(databaseUrlOf(fresh, appPassword), 1);
    try {
      await asFresh.run('SELECT 1 FROM orders LIMIT 1');
    } finally {
      await asFresh.close();
    }
  });
});
