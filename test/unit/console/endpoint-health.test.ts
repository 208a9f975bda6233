// The console has its own compiler settings and builds modules for browsers.
const { healthOf } = require('../../../packages/console/src/endpoints/health') as {
  healthOf: (endpoint: object) => string;
};

const [EARLIER, LATER] = ['2026-11-22T10:00:00.000Z', '2026-11-22T11:00:00.000Z'];

describe('the health of an endpoint', () => {
  const endpoint = (pending: number, lastSuccessAt: string | null, lastFailureAt: string | null, { held = 0, failed = 0 } = {}) =>
    healthOf({
      state: 'enabled',
      consecutiveFailures: 0,
      deliveries: { held, failed },
      health: { pending, lastSuccessAt, lastFailureAt, lastErrorCode: lastFailureAt === null ? null : 'bad_status' },
    });

  it.each([
    ['failing: no success, and failed deliveries are being retried', endpoint(3, null, LATER), 'failing'],
    ['failing: the latest delivery was given up', endpoint(0, EARLIER, LATER, { failed: 1 }), 'failing'],
    ['waiting: a success since, and other deliveries are being retried', endpoint(5, LATER, EARLIER), 'waiting'],
    ['waiting: held deliveries are not sent automatically', endpoint(0, LATER, null, { held: 2 }), 'waiting'],
    ['failing: never a success, and no delivery is being retried', endpoint(0, null, LATER), 'failing'],
    ['waiting: all deliveries are held', endpoint(0, null, null, { held: 1 }), 'waiting'],
    ['idle: no delivery', endpoint(0, null, null), 'idle'],
    ['idle: the first delivery is pending', endpoint(1, null, null), 'idle'],
    ['working: a success after the last failure', endpoint(0, LATER, EARLIER), 'working'],
  ])('%s', (_, is, expected) => {
    expect(is).toBe(expected);
  });
});
