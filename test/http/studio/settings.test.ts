import { startService, type TestService } from '../../support/service';
import { aQuoteRequest } from '../../support/baskets';
import type { HttpClient } from '../../support/client';
import { auditOf, faultPaths } from './support';

describe('/settings', () => {
  let service: TestService;
  let admin: HttpClient;
  let trade: HttpClient;
  beforeAll(async () => {
    service = await startService({ worker: false });
    admin = service.studio();
    trade = service.trade(service.account.testKey);
  });
  afterAll(() => service.stop());

  it.each([{}, { criticalRushEnabled: 'true' }, { criticalRushEnabled: null }])('%j is refused', async (body) => {
    expect(faultPaths(await admin.send('PATCH', '/settings', body))).toEqual(['criticalRushEnabled']);
  });
  it('the switch for critical rush bites on the very next quote, both ways', async () => {
    const request = { ...(await aQuoteRequest(trade)), rushTier: 'critical' };
    expect((await admin.get('/settings')).json.data).toEqual({ criticalRushEnabled: false });
    expect(faultPaths(await trade.post('/quotes', request))).toEqual(['rushTier']);
    expect((await admin.send('PATCH', '/settings', { criticalRushEnabled: true })).json.data).toEqual({ criticalRushEnabled: true });
    expect((await trade.post('/quotes', request)).json.data).toMatchObject({
      rushFeeCents: expect.any(Number),
      promisedReadyDate: expect.any(String),
    });
    await admin.send('PATCH', '/settings', { criticalRushEnabled: false });
    expect(faultPaths(await trade.post('/quotes', request))).toEqual(['rushTier']);
    expect((await auditOf(service, 'settings')).slice(-2)).toMatchObject([
      { action: 'settings.change', before: { criticalRushEnabled: false }, after: { criticalRushEnabled: true } },
      { action: 'settings.change', before: { criticalRushEnabled: true }, after: { criticalRushEnabled: false } },
    ]);
  });
});
