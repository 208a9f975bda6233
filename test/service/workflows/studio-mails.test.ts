import { SCREENS } from '../../../src/http/console/console';
import { nextDay } from '../../../src/domain/pricing/ready-date';
import { newId } from '../../../src/security/ids';
import { insertAttempt } from '../../../src/db/repositories/webhook-deliveries';
import { anEndpoint } from '../../support/endpoints';
import { useFixture, useMailServer, useService } from '../../support/fixtures';
import { OrderDriver } from './order-driver';
import { sendMilestone } from '../http/studio/support';

const MINUTE = 60_000;

describe('mails of the studio', () => {
  /** The service's time. Before the first price book is in force, it is the real time. */
  let now = new Date();
  const mail = useMailServer();
  const service = useService(() => ({
    env: { SMTP_URL: mail.url, STUDIO_PUBLIC_URL: 'https://studio.example/' },
    clock: { now: () => now },
  }));
  const desk = useFixture(() => new OrderDriver(service));

  const runWorkflow = (type: 'attention' | 'sweep') =>
    desk.client.workflow.execute(type, { workflowId: `${type}-${newId('req')}`, taskQueue: service.taskQueue });
  /** As a mail reader shows them. No mail names a path of an API. */
  const mailTexts = () =>
    mail.received.map(({ text }) => {
      const shown = text.includes('quoted-printable') ? text.replaceAll('=\r\n', '').replaceAll('=3D', '=') : text;
      for (const [, screen] of shown.matchAll(/https:\/\/studio\.example\/([^/?\s]*)/g)) expect(SCREENS).toContain(screen);
      expect(shown).not.toMatch(/\/v1\b|\b(GET|POST|PUT|PATCH|DELETE) \//);
      return shown.replaceAll('\r\n', '\n');
    });

  describe('open problems, every morning', () => {
    async function shippedAfterCancel(environment: 'live' | 'test', ...parcels: string[]): Promise<string> {
      const ref = await desk.placeOrder(environment);
      const studio = service.studio();
      await sendMilestone(studio, ref.orderId, 'cancelled');
      for (const parcelId of parcels) await studio.post(`/orders/${ref.orderId}/parcels`, { parcelId, trackingNumber: 'T' });
      return ref.orderNumber;
    }

    it('no mail is sent without open problems, for any state of test orders', async () => {
      await shippedAfterCancel('test', 'box');
      expect(await runWorkflow('attention')).toEqual({ open: 0 });
      expect(mail.received).toEqual([]);
    });

    it('each code has its count and the numbers of its orders, in one mail a day for any number of runs', async () => {
      now = new Date(`${nextDay(now.toISOString().slice(0, 10))}T20:00:00Z`); // the next day of the studio
      const [two, one] = [await shippedAfterCancel('live', 'a', 'b'), await shippedAfterCancel('live', 'c')];
      const heard = await desk.placeOrder('live');
      await desk.signal(heard, { milestoneId: 'm', type: 'teleported' });
      await desk.apply(heard, { milestoneId: 'm2', type: 'printed' }); // after the notification
      expect(await runWorkflow('attention')).toEqual({ open: 4 });
      const [text = ''] = mailTexts();
      expect(mail.received[0]?.to).toEqual([service.deps.studioMail]);
      expect(text).toContain('Subject: 4 items need attention');
      const day = nextDay(now.toISOString().slice(0, 10));
      expect(text).toContain(
        `SHIPPED_AFTER_CANCEL: 3 open, oldest from ${day}\n  ${two}, ${one}\n  https://studio.example/?code=SHIPPED_AFTER_CANCEL\n`,
      );
      expect(text).toContain(
        `SIGNAL_REFUSED: 1 open, oldest from ${day}\n  ${heard.orderNumber}\n  https://studio.example/?code=SIGNAL_REFUSED\n`,
      );
      expect(text).toContain('All items: https://studio.example/\n');
      await runWorkflow('attention');
      expect(mail.received).toHaveLength(1);
      now = new Date(now.getTime() + 24 * 60 * MINUTE);
      await runWorkflow('attention');
      expect(mail.received).toHaveLength(2);
    });

    it('a missing price book with later holidays is reported from 90 days before the known ones end', async () => {
      const after = now;
      const holidays = async () => (await service.studio().get('/settings')).json.data.holidays;
      const { until } = await holidays();
      const year = until.slice(0, 4);
      expect(until).toBe(`${year}-12-31`);
      now = new Date(`${year}-10-01T00:00:00Z`);
      expect(await holidays()).toEqual({ until, endSoon: false });
      now = new Date(`${year}-10-02T00:00:00Z`); // in Melbourne, 90 days before 31 December
      expect(await holidays()).toEqual({ until, endSoon: true });
      await runWorkflow('attention');
      expect(mailTexts()[0]).toMatch(new RegExp(`holidays only until ${until}\\.[^]*https://studio\\.example/prices\n`));
      now = after;
    });
  });

  describe('an endpoint with only failures for an hour', () => {
    /** Attempts this many minutes ago, with `!` for a success. */
    async function createEndpoint(environment: 'live' | 'test', ...attempts: string[]): Promise<string> {
      const { database } = service.deps;
      const { id } = await anEndpoint(database, service.account.accountId, 'https://shop.example/hooks', environment);
      await desk.sql(`UPDATE webhook_endpoints SET created_at = $2, updated_at = $2 WHERE id = $1`, [id, minutesAgo(600)]);
      for (const attempt of attempts) await insertAttemptOf(id, attempt);
      return id;
    }
    const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * MINUTE);
    const insertAttemptOf = (endpointId: string, attempt: string) =>
      insertAttempt(service.deps.database, {
        deliveryId: null,
        endpointId,
        chain: 1,
        number: 1,
        trigger: attempt.includes('p') ? 'ping' : 'automatic',
        at: minutesAgo(Number.parseInt(attempt)),
        ok: attempt.endsWith('!'),
        status: null,
        errorCode: attempt.endsWith('!') ? null : 'timeout',
        timings: {},
        replyExcerpt: null,
        nextAttemptAt: null,
      });
    const troubleTexts = () => mailTexts().filter((text) => /are failing|is failing/.test(text));

    it('and five attempts: both get one mail with the last outcome', async () => {
      const id = await createEndpoint('live', '120!', '61', '60', '40', '20', '1');
      await runWorkflow('sweep');
      expect(mail.received.map(({ to }) => to).toSorted()).toEqual([['gallery@example.com'], [service.deps.studioMail]]);
      for (const text of troubleTexts())
        expect(text).toMatch(new RegExp(`${id} at shop.example[^]*Last attempt: timeout\\.[^]*/docs/guides/webhooks`));
      const studioText = troubleTexts().find((text) => text.includes(`To: ${service.deps.studioMail}`));
      expect(studioText).toContain(`https://studio.example/deliveries?endpoint=${id}\n`);
      expect(studioText).toContain(`https://studio.example/accounts/${service.account.accountId}?tab=endpoints\n`);
      await insertAttemptOf(id, '0');
      await runWorkflow('sweep');
      expect(mail.received).toHaveLength(2);
      await service.studio().post(`/webhook-endpoints/${id}/disable`, {});
    });

    it.each<[string, 'live' | 'test', string[]]>([
      ['with four attempts gets no mail', 'live', ['61', '40', '20', '1']],
      ['with failures for less than an hour gets no mail', 'live', ['59', '50', '40', '20', '1', '0']],
      ['with a later success gets no mail', 'live', ['80', '70', '61', '30!', '20', '10', '1']],
      ['gets no mail because of pings', 'live', ['80p', '70p', '60p', '61', '40', '20', '1', '0p']],
      ['gets no mail in the test environment', 'test', ['120', '61', '60', '40', '20', '1']],
    ])('%s', async (_title, environment, attempts) => {
      await createEndpoint(environment, ...attempts);
      await runWorkflow('sweep');
      expect(troubleTexts()).toEqual([]);
    });

    it('attempts before it was enabled, or at another URL, do not count', async () => {
      const id = await createEndpoint('live', '120', '90', '61', '60', '40', '20', '1');
      await desk.sql('UPDATE webhook_endpoints SET updated_at = $2 WHERE id = $1', [id, minutesAgo(30)]);
      await runWorkflow('sweep');
      expect(troubleTexts()).toEqual([]);
    });

    it('is reported by the next pass if its delivery was lost before the notification', async () => {
      const id = await createEndpoint('live', '5');
      await desk.sql('UPDATE webhook_endpoint_health SET consecutive_failures = 3, failing_since = $2 WHERE endpoint_id = $1', [
        id,
        minutesAgo(3),
      ]);
      await runWorkflow('sweep');
      expect(troubleTexts()).toHaveLength(2);
    });
  });
});
