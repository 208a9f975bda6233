import { webhooks } from '@trade-print/client';
import { execFileSync } from 'node:child_process';
import type { Dependencies } from '../../../src/processes/dependencies';
import { setCurrentVersion } from '../../../src/temporal/deployment';
import { anAccount, type TestAccount } from '../../support/accounts';
import { anOrder, aQuote, placeOrder } from '../../support/baskets';
import { HttpClient } from '../../support/client';
import { anEndpoint } from '../../support/endpoints';
import { holdLock } from '../../support/held-lock';
import { readAlerts, readStatements } from '../../support/observability';
import { describeWithProgram } from '../../support/programs';
import { startMailServer } from '../../support/smtp-server';
import { useReceiver, useFixture } from '../../support/fixtures';
import { expectSoon, waitFor } from '../../support/wait-for';
import type { PartName } from '../faults/support/stack';
import { useStack } from '../faults/support/use-stack';
import { PrometheusServer } from './support/prometheus-server';

const READERS = 20;
const LATE_UPLOADS = 1_000;
const CLOCK_AHEAD_MINUTES = 10;

/**
 * An operator reads `npm run dashboard` and the page of the first alert. Each fault must be named there, and the statements of the page must
 * name the account concerned.
 */
describeWithProgram('prometheus', 'with the printed dashboard an operator finds', () => {
  const receiver = useReceiver();
  const mailServer = useFixture(startMailServer, (server) => server.stop());
  const stack = useStack(() => ({
    env: {
      LOG_LEVEL: 'warn',
      CONFIRMATION_DELAY: '0s',
      SMTP_URL: mailServer.url,
      WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
      RATE_LIMIT_FACTOR: '1000',
    },
  }));
  let deps: Dependencies;
  let account: TestAccount;
  let trade: HttpClient;
  let endpoint: Awaited<ReturnType<typeof anEndpoint>>;
  beforeAll(async () => {
    await stack.startPart('inspector');
    deps = await stack.dependencies();
    account = await anAccount(deps.database);
    trade = new HttpClient(stack.tradeUrl, account.liveKey);
    endpoint = await anEndpoint(deps.database, account.accountId, receiver.url, 'live');
  });
  const prometheus = useFixture(
    () => PrometheusServer.start(stack),
    (server) => server.stop(),
  );
  beforeAll(() =>
    waitFor('the first scrapes', async () => (await prometheus.query('sum(up) == 4 and min(trade_print_ready) == 1')).length > 0),
  );

  const firstAlertsOf = (text: string): string => text.slice(0, text.indexOf(' · now and the last hour'));

  const pageOf = (name: string): string => readAlerts().find(({ alert }) => alert === name)?.annotations.runbook_url ?? '';

  /** Waits for the alert and checks that the dashboard has its lines. */
  async function expectAlert(name: string, dashboard: string): Promise<void> {
    await waitFor(`the alert ${name}`, () => prometheus.isFiring(name));
    const text = firstAlertsOf(await prometheus.printDashboard(dashboard));
    const page = pageOf(name);
    expect(text).toMatch(new RegExp(`(?:PAGE|TICKET) ${name} since .+\n  affected: .+\n  action:   .+\n  runbook:  ${page}`));
  }

  /** Checks that a statement of the alert's page names the account. */
  async function expectPageToNameAccount(name: string): Promise<void> {
    const rows = await Promise.all(readStatements(pageOf(name)).map((statement) => deps.database.rows(statement)));
    expect(JSON.stringify(rows)).toContain(account.accountId);
  }

  async function restart(part: PartName): Promise<void> {
    await stack.terminate(part);
    await stack.startPart(part);
  }

  it('Temporal frozen, and the accounts whose orders wait', async () => {
    const { quoteId } = await aQuote(trade);
    stack.freeze('temporal');
    try {
      expect((await placeOrder(trade, quoteId)).status).toBe(201);
      await expectAlert('TemporalAway', 'temporal');
      await expectPageToNameAccount('TemporalAway');
    } finally {
      await stack.thaw('temporal');
    }
  });

  it('a dead relay, and the accounts whose webhooks wait', async () => {
    await stack.kill('relay');
    await anOrder(trade);
    await expectAlert('NoRelay', 'webhooks');
    await expectPageToNameAccount('NoRelay');
    await stack.startPart('relay');
  });

  describeWithProgram('faketime', 'a wrong clock,', () => {
    it('the process that has it, and the webhooks that receivers refuse', async () => {
      const ahead = clockAhead(CLOCK_AHEAD_MINUTES);
      Object.assign(stack.env, ahead);
      await restart('relay');
      for (const name of Object.keys(ahead)) delete stack.env[name]; // the other processes have the system's clock
      try {
        await expectAlert('ClockOff', 'service');
        const readDashboard = () => prometheus.printDashboard('service');
        await expectSoon(readDashboard).toMatch(/ClockOff since \S+ The clock of trade-print-relay differs by (?:10m 0|9m 59)s /);
        expect(await readDashboard()).not.toMatch(/The clock of trade-print-(?!relay)/);
        const readOffsets = async () => {
          const [, panel = ''] = /\nClock offset: .*\n((?:  .*\n)+)/.exec(await readDashboard()) ?? [];
          return [...panel.matchAll(/^  trade-print-(\w+) +\S+ (\w+)/gm)].map(([, process, unit]) => `${process} ${unit}`).toSorted();
        };
        await expectSoon(readOffsets).toEqual(['api ms', 'inspector ms', 'relay min', 'worker ms']);
        const [statement = ''] = readStatements(pageOf('ClockOff'));
        const before = Date.now();
        const [row] = await deps.database.rows<{ clock_timestamp: Date }>(statement);
        expect(Number(row?.clock_timestamp)).toBeGreaterThan(before - 5_000);
        expect(Number(row?.clock_timestamp)).toBeLessThan(Date.now() + 5_000);

        const received = receiver.received.length;
        await anOrder(trade);
        const { rawBody, headers } = (await receiver.waitFor(received + 1))[received] ?? { rawBody: '', headers: {} };
        expect(await webhooks.check(rawBody, headers, endpoint.secret)).toEqual({ ok: false, reason: 'timestamp_in_future' });
      } finally {
        await restart('relay');
      }
    });
  });

  it('an endpoint that hangs, and its account', async () => {
    receiver.respondWith(() => undefined);
    await anOrder(trade);
    await expectAlert('EndpointFailing', 'webhooks');
    const hasCode = async () =>
      /\(1 endpoint, mostly timeout\)[^]*\nFirst attempts[^]*\n  timeout +[1-9]/.test(await prometheus.printDashboard('webhooks'));
    expect(await waitFor('the code of the failed attempt', hasCode)).toBe(true);
    const [statement = ''] = readStatements(pageOf('EndpointFailing'));
    expect(await deps.database.rows(statement)).toMatchObject([
      { account_id: account.accountId, url: receiver.url, error_code: 'timeout' },
    ]);
    receiver.respondWith((_, response) => void response.writeHead(204).end());
  });

  it('refused mail, and the accounts of the orders', async () => {
    mailServer.setRecipientReply({ code: 550, words: 'no such mailbox' });
    await anOrder(trade, { whiteLabel: false });
    await expectAlert('MailRefused', 'orders');
    await expectPageToNameAccount('MailRefused');
    mailServer.setRecipientReply(null);
  });

  it('a locked row of an account, and that account', async () => {
    const { quoteId } = await aQuote(trade);
    let isOver = false;
    const orderUntilOver = async (): Promise<void> => {
      while (!isOver) await placeOrder(trade, quoteId);
    };
    const harmless = await holdLock(deps.database, 'SELECT 1 FROM accounts WHERE false');
    const lock = await holdLock(deps.database, 'SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [account.accountId]);
    try {
      expect((await placeOrder(trade, quoteId)).status).toBe(503);
      await expectAlert('RowLocked', 'service');
      await expectPageToNameAccount('RowLocked');
      const [, statement = ''] = readStatements(pageOf('RowLocked'));
      const orders = orderUntilOver();
      const [first, ...others] = await waitFor('both sessions, and the order that waits', async () => {
        const sessions = await deps.database.rows<{ blocks: number[] }>(statement);
        return sessions.length > 1 && sessions.some(({ blocks }) => blocks.length > 0) && sessions;
      });
      expect(first?.blocks).toHaveLength(1);
      expect(others.filter(({ blocks }) => blocks.length > 0)).toEqual([]);
      isOver = true;
      await orders;
    } finally {
      isOver = true;
      await lock.release();
      await harmless.release();
    }
  });

  it('an exhausted pool, and the session that holds the lock', async () => {
    const readers = await Promise.all(
      Array.from({ length: READERS }, async () => new HttpClient(stack.tradeUrl, (await anAccount(deps.database)).liveKey)),
    );
    const lock = await holdLock(deps.database, 'LOCK TABLE quotes IN ACCESS EXCLUSIVE MODE');
    let isOver = false;
    const readUntilOver = async (reader: HttpClient): Promise<void> => {
      while (!isOver) await reader.get(`/quotes/quo_${'0'.repeat(32)}`);
    };
    const reads = [...readers, ...readers].map(readUntilOver);
    try {
      await expectAlert('PoolExhausted', 'service');
      const [statement = ''] = readStatements(pageOf('PoolExhausted'));
      const readWaiting = async () => {
        const sessions = await deps.database.rows<{ application_name: string; blocked_by: number[] }>(statement);
        return sessions.filter(({ blocked_by: blockers }) => blockers.length > 0).map(({ application_name: application }) => application);
      };
      // Between two requests, no session waits for the lock.
      await expectSoon(readWaiting).toContain('trade-print-api');
    } finally {
      isOver = true;
      await lock.release();
      await Promise.all(reads);
    }
  });

  it('an inspector that is behind, and the accounts whose uploads wait', async () => {
    await anOrder(trade);
    const changes = `'id', 'upl_' || md5(n::text), 'storage_key', 'artwork/late' || n, 'url', u.url || n, 'inspect_at', now() - interval '10 min'`;
    // A fast inspector would be done before the alert.
    stack.freeze('inspector');
    try {
      await deps.database.run(
        `INSERT INTO uploads SELECT (jsonb_populate_record(u, jsonb_build_object(${changes}))).* FROM uploads u, generate_series(1, $2) n
          WHERE u.id = (SELECT id FROM uploads WHERE account_id = $1 LIMIT 1)`,
        [account.accountId, LATE_UPLOADS],
      );
      await expectAlert('InspectionsLate', 'orders');
      await expectPageToNameAccount('InspectionsLate');
    } finally {
      await stack.thaw('inspector');
    }
    const countsInspections = async () =>
      /\nCompleted workflows[^]*\n  artworkInspection +[1-9]/.test(await prometheus.printDashboard('temporal'));
    expect(await waitFor('inspections that "Completed workflows" counts', countsInspections)).toBe(true);
    await deps.database.run('UPDATE uploads SET inspect_at = NULL');
  });

  it('a worker of an old build', async () => {
    stack.env.TEMPORAL_BUILD_ID = 'release-2';
    for (const part of ['api', 'relay', 'inspector'] as const) await restart(part);
    await setCurrentVersion(deps.temporal.client, 'release-2');
    await expectAlert('OldBuild', 'service');
    const hasBuilds = async () => {
      const text = await prometheus.printDashboard('service');
      return /trade-print-api release-2 .* 1 /.test(text) && /trade-print-worker unversioned .* 1 /.test(text);
    };
    expect(await waitFor('the builds of both', hasBuilds)).toBe(true);
    expect(await prometheus.printDashboard('service')).not.toContain('trade-print-api unversioned');
  });
});

/** The environment of a process whose clock is ahead. Timers keep the system's clock. */
function clockAhead(minutes: number): Record<string, string> {
  const library = execFileSync('faketime', ['-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' });
  return { LD_PRELOAD: library.trim(), FAKETIME: `+${minutes}m`, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}
