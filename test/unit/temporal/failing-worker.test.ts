import type { Client } from '@temporalio/client';
import { CircuitBreaker } from '../../../src/temporal/breaker';
import { TEMPORAL_TIMEOUTS } from '../../../src/temporal/options';
import { OrderWorkflows } from '../../../src/temporal/orders';

/** The server's answer while a worker is frozen: gRPC FAILED_PRECONDITION. */
const failedTask = Object.assign(new Error('Workflow Task in failed state'), {
  code: 9,
  details: 'Workflow Task in failed state',
  metadata: {},
});

it('a message to an order whose workflow tasks fail is repeated, and then unavailable', async () => {
  let attempts = 0;
  const client = {
    withDeadline: (_deadline: number, call: () => unknown) => call(),
    workflow: {
      executeUpdateWithStart: () => {
        attempts += 1;
        return Promise.reject(failedTask);
      },
    },
  } as unknown as Client;
  const orders = new OrderWorkflows({
    client,
    namespace: 'default',
    timeouts: TEMPORAL_TIMEOUTS,
    breaker: new CircuitBreaker(() => Promise.resolve()),
    ordersTaskQueue: 'orders',
    artworkTaskQueue: 'artwork',
    settings: { quietPeriodMs: 1, confirmationDelayMs: 1, webhooksTaskQueue: 'webhooks' },
  });
  const send = orders.applyMessage('ord_00', 'msg_00', 'req_1');
  await expect(send).rejects.toMatchObject({ name: 'TemporalUnavailable' });
  expect(attempts).toBe(8);
});
