import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Dependencies } from '../../../src/processes/dependencies';
import { anAccount } from '../../support/accounts';
import { anOrder, aQuote, placeOrder } from '../../support/baskets';
import { HttpClient } from '../../support/client';
import { anEndpoint } from '../../support/endpoints';
import { holdLock } from '../../support/held-lock';
import { OBSERVABILITY_DIR, readAlerts, readDashboards, readRules, readStatements } from '../../support/observability';
import { describeWithProgram } from '../../support/programs';
import { useFixture } from '../../support/fixtures';
import { expectSoon, waitFor } from '../../support/wait-for';
import { PatientClient } from '../../support/repeat';
import { useStack } from '../faults/support/use-stack';
import { PrometheusServer } from './support/prometheus-server';

const run = promisify(execFile);

/** Temporal's SDK serves it from the first failure on, which this test does not cause. */
const UNSEEN_METRIC = 'temporal_workflow_task_execution_failed_total';

describeWithProgram('promtool', 'promtool accepts', () => {
  it.each([
    ['the configuration for compose', ['check', 'config', 'prometheus.yml']],
    ['the configuration for npm start', ['check', 'config', 'prometheus.local.yml']],
    ['the unit tests of the rules', ['test', 'rules', 'rules.test.yml']],
  ])('%s', async (_what, args) => {
    const { stdout } = await run('promtool', args, { cwd: OBSERVABILITY_DIR });
    expect(stdout).toContain('SUCCESS');
  });
});

describeWithProgram('prometheus', 'a Prometheus that scrapes the running service', () => {
  const stack = useStack(() => ({
    // No mail server: confirmations fail. Webhooks fail within a second.
    env: {
      LOG_LEVEL: 'warn',
      CONFIRMATION_DELAY: '0s',
      SMTP_URL: 'smtp://127.0.0.1:9',
      WEBHOOK_RETRY_SCHEDULE: '100ms,100ms',
      RATE_LIMIT_FACTOR: '100',
    },
  }));
  let deps: Dependencies;
  let account: Awaited<ReturnType<typeof anAccount>>;
  let trade: HttpClient;

  beforeAll(async () => {
    await stack.startPart('inspector');
    deps = await stack.dependencies();
    account = await anAccount(deps.database);
    trade = new HttpClient(stack.tradeUrl, account.liveKey);
  });
  const prometheus = useFixture(
    () => PrometheusServer.start(stack),
    (server) => server.stop(),
  );

  /** Things that the dashboards show: an order, a message, a payment, a webhook that fails, refusals, a backup. */
  async function causeTraffic(): Promise<void> {
    const { orderId, totalCents } = await anOrder(trade, { whiteLabel: false });
    const studio = new PatientClient(stack.studioUrl, stack.studioToken);
    const send = async (path: string, body: object) => (await studio.post(`/orders/${orderId}/${path}`, body)).status;
    expect(await send('milestones', { milestoneId: 'm-1', type: 'printed' })).toBe(200);
    const payment = { paymentId: 'p-1', amountCents: totalCents, receivedAt: new Date().toISOString() };
    expect(await send('payments', payment)).toBeLessThan(300);
    expect((await trade.get('/orders/unknown')).status).toBe(404);
    const { quoteId } = await aQuote(trade);
    const lock = await holdLock(deps.database, 'SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [account.accountId]);
    try {
      expect((await placeOrder(trade, quoteId)).status).toBe(503);
    } finally {
      await lock.release();
    }
    await deps.temporal.client.schedule.getHandle('sweeper').trigger();
    await deps.database.run('INSERT INTO backups (finished_at, bytes) VALUES (clock_timestamp(), 1)');
  }

  it('every panel has data', async () => {
    await anEndpoint(deps.database, account.accountId, 'https://127.0.0.1/private', 'live');
    const panels = readDashboards().flatMap((dashboard) =>
      dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ panel: `${dashboard.name}: ${title}`, expr }))),
    );
    const isEmpty = async ({ expr }: { expr: string }) => (await prometheus.query(expr)).length === 0;
    const findEmpty = async () => {
      const empty = await Promise.all(panels.map(async (panel) => ((await isEmpty(panel)) ? [panel] : [])));
      return empty.flat().filter(({ expr }) => !expr.includes(UNSEEN_METRIC));
    };
    await expectSoon(async () => {
      await causeTraffic();
      return findEmpty();
    }, 240_000).toEqual([]);
  });

  it('every rule runs, on metrics that the processes serve', async () => {
    const used = readRules().flatMap(
      ({ expr }) => expr.replaceAll(/"[^"]*"/g, '').match(/\b(?:trade_print|temporal|http_server|db_client|slo)[_:][\w:]*/g) ?? [],
    );
    // A gauge of what the database has appears with the next reading of it.
    await expectSoon(async () => {
      const known = new Set([...(await prometheus.metricNames()), UNSEEN_METRIC]);
      return used.filter((name) => !known.has(name));
    }).toEqual([]);
    for (const { expr } of readRules()) await prometheus.query(expr);
  });

  it('the statements of the pages run', async () => {
    const pages = ['docs/operations/observability.md', ...readAlerts().map(({ annotations }) => annotations.runbook_url ?? '')];
    const statements = pages.flatMap((page) => readStatements(page));
    expect(statements.length).toBeGreaterThan(10);
    for (const statement of statements) await deps.database.rows(statement);
    const [waiting = ''] = readStatements('docs/operations/alerts/no-worker.md');
    expect(await deps.database.rows(waiting)).toContainEqual(expect.objectContaining({ account_id: account.accountId }));
  });

  it.each(readDashboards())('npm run dashboard -- $name prints every panel', async ({ name, title, panels }) => {
    const text = await prometheus.printDashboard(name);
    expect(text).toContain(title.toUpperCase());
    for (const panel of panels) expect(text).toContain(`\n${panel.title}: ${panel.description}\n  `);
    expect(text).toMatch(/[▁▂▃▄▅▆▇█]/);
  });

  it('npm run dashboard prints firing alerts with the affected, the action and the page, and why a process does not answer', async () => {
    await stack.kill('relay');
    stack.freeze('inspector');
    expect(await waitFor('the alert', () => prometheus.isFiring('NoRelay'))).toBe(true);
    expect(await waitFor('the other alert', () => prometheus.isFiring('NoInspector'))).toBe(true);
    const { annotations } = readAlerts().find(({ alert }) => alert === 'NoRelay') ?? { annotations: {} };
    const text = await prometheus.printDashboard('webhooks');
    expect(text.slice(0, text.indexOf('WEBHOOKS'))).toMatch(/PAGE NoRelay since \d\d:\d\d:\d\dZ: /);
    for (const line of Object.values(annotations)) expect(text).toContain(line);
    expect(text).toMatch(/\nDOWN trade-print-relay: .*connection refused\n/);
    expect(text).toMatch(/\nDOWN trade-print-inspector: .*deadline exceeded\n/);
    await stack.thaw('inspector');
  });

  it('npm run dashboard names its dashboards', async () => {
    await expect(prometheus.printDashboard('money')).rejects.toMatchObject({
      code: 1,
      stderr: 'there is no dashboard money; choose orders, service, temporal, webhooks\n',
    });
  });
});
