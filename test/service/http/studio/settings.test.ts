import { useFixture, useService } from '../../../support/fixtures';
import { aQuoteRequest } from '../../../support/baskets';
import { findAuditEntries, validationPathsOf, OrderFactory } from './support';

describe('/settings', () => {
  const service = useService(() => ({ worker: false }));
  const admin = useFixture(() => service.studio());
  const trade = useFixture(() => service.trade(service.account.testKey));

  const STUDIO = {
    name: 'Long & Post Studio',
    abn: '51824753556',
    address: '4 Press Lane\nBrunswick VIC 3056',
    bank: 'BSB 063-000, 1041 2214',
  };

  it('changed studio details appear on later invoices, and earlier ones keep theirs', async () => {
    expect((await admin.get('/settings')).json.data.studio).toBeNull();
    const orders = new OrderFactory(service);
    const [before] = [await orders.place()];
    const shown = { ...STUDIO, abn: '51 824 753 556' };
    expect((await admin.send('PATCH', '/settings', { studio: STUDIO })).json.data).toMatchObject({
      criticalRushEnabled: false,
      studio: shown,
    });
    const between = await orders.place();
    await admin.send('PATCH', '/settings', { studio: { ...STUDIO, bank: 'BSB 083-004, 7' } });
    const after = await orders.place();
    const kept = await service.deps.database.rows<{ id: string; bank: string | null }>(
      'SELECT i.order_id AS id, s.bank FROM invoices i LEFT JOIN sellers s ON s.version = i.seller_version WHERE i.order_id = ANY ($1)',
      [[before.orderId, between.orderId, after.orderId]],
    );
    expect(new Map(kept.map(({ id, bank }) => [id, bank]))).toEqual(
      new Map([
        [before.orderId, null],
        [between.orderId, STUDIO.bank],
        [after.orderId, 'BSB 083-004, 7'],
      ]),
    );
    expect((await findAuditEntries(service, 'settings'))[0]).toMatchObject({ before: { studio: null }, after: { studio: shown } });
  });
  it('switching critical rush takes effect on the next quote, both ways', async () => {
    const request = { ...(await aQuoteRequest(trade)), rushTier: 'critical' };
    expect((await admin.get('/settings')).json.data).toMatchObject({ criticalRushEnabled: false, studio: expect.anything() });
    expect(validationPathsOf(await trade.post('/quotes', request))).toEqual(['rushTier']);
    expect((await admin.send('PATCH', '/settings', { criticalRushEnabled: true })).json.data).toMatchObject({ criticalRushEnabled: true });
    expect((await trade.post('/quotes', request)).json.data).toMatchObject({
      rushFeeCents: expect.any(Number),
      promisedReadyDate: expect.any(String),
    });
    await admin.send('PATCH', '/settings', { criticalRushEnabled: false });
    expect(validationPathsOf(await trade.post('/quotes', request))).toEqual(['rushTier']);
    expect((await findAuditEntries(service, 'settings')).slice(-2)).toMatchObject([
      { action: 'settings.change', before: { criticalRushEnabled: false }, after: { criticalRushEnabled: true } },
      { action: 'settings.change', before: { criticalRushEnabled: true }, after: { criticalRushEnabled: false } },
    ]);
  });
});
