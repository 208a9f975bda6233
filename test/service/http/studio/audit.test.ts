import { useFixture, useService } from '../../../support/fixtures';
import { aToken } from './support';

describe('/audit', () => {
  const service = useService(() => ({ worker: false }));
  const admin = useFixture(() => service.studio());

  it('lists every write newest first with actor, action and request, and pages without gaps during writes', async () => {
    await admin.post('/accounts', { name: 'Before', email: 'before@example.com' });
    const { id } = (await admin.post('/accounts', { name: 'A', email: 'a@example.com' }, { 'service-request-id': 'desk-1' })).json.data;
    const first = (await admin.get('/audit?limit=1')).json;
    expect(first.data).toEqual([
      {
        id: expect.any(Number),
        at: expect.any(String),
        actor: { tokenId: expect.stringMatching(/^tok_/), name: 'STUDIO_ADMIN_TOKEN', badgeId: null },
        action: 'account.create',
        subject: id,
        subjectName: 'A',
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
  it('refused writes are counted by token, endpoint and code: the first at once, the others as one entry; reads are not', async () => {
    const clerk = service.studio(await aToken(service, 'office', { name: 'Clerk' }));
    const readRefusedActions = async (): Promise<[string, unknown][]> =>
      (await admin.get('/audit?actor=Clerk')).json.data.map(({ action, subject, after }: any) => [`${action} ${subject}`, after]).reverse();
    for (let attempt = 0; attempt < 3; attempt += 1) await clerk.send('PATCH', '/accounts/acc_00', { name: 'B' });
    await clerk.send('PATCH', '/accounts/acc_00', { nam: 'B' });
    await clerk.get('/accounts/acc_00');
    await clerk.post('/tokens', { name: 'x', role: 'admin' });
    const subject = 'write.refused PATCH /accounts/:id';
    expect(await readRefusedActions()).toEqual([
      [subject, { code: 'NOT_FOUND', count: 1 }],
      [subject, { code: 'VALIDATION_ERROR', count: 1 }],
      ['role.refused POST /tokens', { role: 'office', needed: 'admin' }],
    ]);
    await service.deps.failureAudit.flush();
    await service.deps.failureAudit.flush(); // after a minute without a refusal, the next one is written at once
    expect((await readRefusedActions())[3]).toEqual([subject, { code: 'NOT_FOUND', count: 2, since: expect.any(String) }]);
    await clerk.send('PATCH', '/accounts/acc_00', { name: 'B' });
    expect((await readRefusedActions()).slice(4)).toEqual([[subject, { code: 'NOT_FOUND', count: 1 }]]);
  });
});
