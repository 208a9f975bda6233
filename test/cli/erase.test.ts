import { eraseCommand } from '../../src/cli/erase';
import { CommandProblem } from '../../src/cli/studio';
import { freePort } from '../../dev/ports';
import { anOrder, anAddress } from '../support/baskets';
import { startService, type TestService } from '../support/service';

describe('trade-print erase', () => {
  let service: TestService;
  let env: Record<string, string>;
  beforeAll(async () => {
    service = await startService();
    env = { STUDIO_URL: `http://127.0.0.1:${service.api.studioPort}/`, STUDIO_TOKEN: service.adminToken };
    const { orderId } = await anOrder(service.trade(service.account.testKey), { shippingAddress: anAddress() });
    await service.studio().post(`/orders/${orderId}/milestones`, { milestoneId: 'm1', type: 'cancelled' });
  });
  afterAll(() => service.stop());

  it('counts, then erases, then finds nothing left', async () => {
    const { accountId } = service.account;
    const before = '2999-01-01';
    expect(await eraseCommand(accountId, { before, dryRun: true }, env)).toBe(
      'would be erased\n  orders          1\n  expired quotes  0\n  artwork files   1',
    );
    expect(JSON.parse(await eraseCommand(accountId, { before, json: true }, env))).toEqual({
      dryRun: false,
      orders: 1,
      quotes: 0,
      artwork: 1,
    });
    expect(await eraseCommand(accountId, { before }, env)).toBe('erased\n  orders          0\n  expired quotes  0\n  artwork files   0');
  });

  it.each<[string, () => Promise<Record<string, string>>, { account?: string; before?: string }, RegExp]>([
    ['without a token it says which setting is missing', async () => ({}), {}, /^STUDIO_TOKEN is not set/],
    ['a refused token is told as the API tells it', async () => ({ ...env, STUDIO_TOKEN: `lps_${'0'.repeat(64)}` }), {}, /^UNAUTHORIZED: /],
    ['an unknown account too', async () => env, { account: 'acc_00' }, /^NOT_FOUND: there is no such account/],
    ['a day that is none too', async () => env, { before: '2026-13-01' }, /^VALIDATION_ERROR: .*2026-01-31/],
    [
      'a service that is not there is named',
      async () => ({ ...env, STUDIO_URL: `http://127.0.0.1:${await freePort()}` }),
      {},
      /cannot be reached.*STUDIO_URL/,
    ],
  ])('%s', async (_title, settings, { account = service.account.accountId, before = '2026-01-01' }, message) => {
    const problem = await eraseCommand(account, { before }, await settings()).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(CommandProblem);
    expect((problem as CommandProblem).message).toMatch(message);
  });
});
