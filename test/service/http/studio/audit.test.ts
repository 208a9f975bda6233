import { startService, type TestService } from '../../../support/service';
import type { HttpClient } from '../../../support/client';

describe('/audit', () => {
  let service: TestService;
  let admin: HttpClient;
  beforeAll(async () => {
    service = await startService({ worker: false });
    admin = service.studio();
  });
  afterAll(() => service.stop());

  it('tells every write newest first: who, what, in which request; pages without gaps while writes go on', async () => {
    await admin.post('/accounts', { name: 'Before', email: 'before@example.com' });
    const { id } = (await admin.post('/accounts', { name: 'A', email: 'a@example.com' }, { 'service-request-id': 'desk-1' })).json.data;
    const first = (await admin.get('/audit?limit=1')).json;
    expect(first.data).toEqual([
      {
        id: expect.any(Number),
        at: expect.any(String),
        actor: { tokenId: expect.stringMatching(/^tok_/), name: 'STUDIO_ADMIN_TOKEN' },
        action: 'account.create',
        subject: id,
        requestId: 'desk-1',
        before: null,
        after: expect.objectContaining({ name: 'A' }),
      },
    ]);
    await admin.send('PATCH', `/accounts/${id}`, { name: 'B' });
    const second = (await admin.get(`/audit?limit=1&cursor=${first.nextCursor}`)).json;
    expect(second.data[0].id).toBeLessThan(first.data[0].id);
    expect(second.data[0].subject).not.toBe(id);
  });
  it('a refused write leaves no row', async () => {
    const [before] = (await admin.get('/audit?limit=1')).json.data;
    await admin.post('/price-books', { book: {} });
    await admin.send('PATCH', '/catalogue/media/none', { withdrawn: true });
    await admin.send('PATCH', '/accounts/acc_00', { name: 'B' });
    expect((await admin.get('/audit?limit=1')).json.data).toEqual([before]);
  });
});
