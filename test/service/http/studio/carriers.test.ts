import { DEFAULT_CARRIERS } from '../../../../src/domain/carriers';
import { holdLock } from '../../../support/held-lock';
import { useFixture, useSharedService } from '../../../support/fixtures';
import { waitFor } from '../../../support/wait-for';
import { expectValidationPaths } from '../support';
import { aToken, findAuditEntries } from './support';

const COURIER = { name: 'Courier', services: ['Same day'], trackingUrl: 'https://c.example/{trackingNumber}', masks: ['C#*'] };

const WAITING_SESSIONS = `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event <> 'object'`;

describe('carriers', () => {
  const service = useSharedService();
  const floor = useFixture(async () => service.studio(await aToken(service, 'floor')));
  const office = useFixture(async () => service.studio(await aToken(service, 'office')));
  const put = (carriers: unknown) => service.studio().send('PUT', '/carriers', { carriers });
  afterAll(() => service.deps.database.run(`DELETE FROM settings WHERE name = 'carriers'`));

  it('are those of Australia until an admin changes them, and the floor reads them', async () => {
    expect((await floor.get('/carriers')).json.data).toEqual({ carriers: DEFAULT_CARRIERS });
    expect((await office.send('PUT', '/carriers', { carriers: [] })).status).toBe(403);
    expect((await put([COURIER])).json.data).toEqual({ carriers: [COURIER] });
    expect((await floor.get('/carriers')).json.data).toEqual({ carriers: [COURIER] });
    expect((await put([])).json.data).toEqual({ carriers: [] });
    expect((await findAuditEntries(service, 'settings')).filter(({ action }) => action === 'carriers.change')).toMatchObject([
      { before: { carriers: DEFAULT_CARRIERS }, after: { carriers: [COURIER] } },
      { before: { carriers: [COURIER] }, after: { carriers: [] } },
    ]);
  });

  it('from two admins at once are written in turn; each audit entry has the value before its own write', async () => {
    const { database } = service.deps;
    await put([]);
    const lock = await holdLock(database, `SELECT 1 FROM settings WHERE name = 'carriers' FOR UPDATE`);
    const writes = ['North', 'South'].map((name) => put([{ ...COURIER, name }]));
    try {
      await waitFor('both wait', async () => (await database.value<number>(WAITING_SESSIONS)) >= 2);
    } finally {
      await lock.release();
    }
    await Promise.all(writes);
    const [one, other] = (await findAuditEntries(service, 'settings')).filter(({ action }) => action === 'carriers.change').slice(-2);
    expect(other?.before).toEqual(one?.after);
  });

  it.each<[string, object, string]>([
    ['a regular expression', { masks: ['C#', '(a+)+$'] }, 'carriers.0.masks.1'],
    ['a mask that matches every text', { masks: ['*'] }, 'carriers.0.masks.0'],
    ['a long mask', { masks: ['#'.repeat(61)] }, 'carriers.0.masks.0'],
    ['a script as its page', { trackingUrl: 'javascript:alert({trackingNumber})' }, 'carriers.0.trackingUrl'],
    ['a page without the number', { trackingUrl: 'https://c.example/' }, 'carriers.0.trackingUrl'],
    ['a page whose host has the number', { trackingUrl: 'https://{trackingNumber}.example/' }, 'carriers.0.trackingUrl'],
    ['no name', { name: ' ' }, 'carriers.0.name'],
    ['a line break in a service', { services: ['a\nb'] }, 'carriers.0.services.0'],
  ])('with %s are refused', async (_what, fields, path) => {
    expectValidationPaths(await put([{ ...COURIER, ...fields }]), [path]);
  });

  it('with the same text are refused', async () => {
    expectValidationPaths(await put([COURIER, { ...COURIER, name: 'COURIER same', services: ['Day'] }, COURIER]), ['carriers.1.name']);
    expectValidationPaths(await put([COURIER, { ...COURIER, name: 'courier' }]), ['carriers.1.name']);
  });
});
