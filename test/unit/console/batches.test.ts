// The console has its own build settings, with modules for browsers only.
const { countNotified } = require('../../../packages/console/src/screens/board/batches') as {
  countNotified: (type: string, orders: readonly object[]) => number;
};

const ALL_EVENTS = [{ state: 'enabled', eventTypes: null }];
const anOrder = (accountId: string, fields: object = {}): object => ({
  accountId,
  status: 'received',
  remakeOf: null,
  webhookEndpoints: ALL_EVENTS,
  ...fields,
});

describe('the number of clients that a batch notifies', () => {
  it.each<[string, object[], number]>([
    ['counts each account once', [anOrder('acc_1'), anOrder('acc_1'), anOrder('acc_2')], 2],
    ['omits accounts without endpoints', [anOrder('acc_1', { webhookEndpoints: [] })], 0],
    ['omits disabled endpoints', [anOrder('acc_1', { webhookEndpoints: [{ state: 'disabled', eventTypes: null }] })], 0],
    [
      'omits endpoints that receive other events',
      [anOrder('acc_1', { webhookEndpoints: [{ state: 'enabled', eventTypes: ['order.shipped'] }] })],
      0,
    ],
    ['omits remakes, which clients do not see', [anOrder('acc_1', { remakeOf: { orderNumber: 'P-1' } })], 0],
    ['omits shipped orders, whose status stays', [anOrder('acc_1', { status: 'shipped' })], 0],
  ])('%s', (_title, orders, count) => {
    expect(countNotified('production_started', orders)).toBe(count);
  });

  it('is 0 for printed orders', () => {
    expect(countNotified('printed', [anOrder('acc_1')])).toBe(0);
  });
});
