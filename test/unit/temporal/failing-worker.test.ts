import { WorkflowFailedError, type Client } from '@temporalio/client';
import { CircuitBreaker } from '../../../src/temporal/breaker';
import { TEMPORAL_TIMEOUTS, type TemporalContext } from '../../../src/temporal/options';
import { OrderWorkflows } from '../../../src/temporal/orders';
import { EndpointWorkflows } from '../../../src/temporal/workflows';

/** The server's answer while a worker is frozen: gRPC FAILED_PRECONDITION. */
const failedTask = Object.assign(new Error('Workflow Task in failed state'), {
  code: 9,
  details: 'Workflow Task in failed state',
  metadata: {},
});

const contextOf = (client: unknown): TemporalContext => ({
  client: client as Client,
  namespace: 'default',
  timeouts: TEMPORAL_TIMEOUTS,
  breaker: new CircuitBreaker(() => Promise.resolve()),
  ordersTaskQueue: 'orders',
  artworkTaskQueue: 'artwork',
  settings: { quietPeriodMs: 1, confirmationDelayMs: 1, webhooksTaskQueue: 'webhooks' },
});

it('a ping that its worker could not send is unavailable', async () => {
  const failed = new WorkflowFailedError('Workflow execution failed', new Error('the ping was withdrawn'), 'MAXIMUM_ATTEMPTS_REACHED');
  const client = {
    withDeadline: (_deadline: number, call: () => unknown) => call(),
    workflow: { execute: () => Promise.reject(failed) },
  };
  await expect(new EndpointWorkflows(contextOf(client)).ping('whe_00', 'req_1')).rejects.toMatchObject({ name: 'TemporalUnavailable' });
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
  };
  const orders = new OrderWorkflows(contextOf(client));
  const send = orders.applyMessage('ord_00', 'msg_00', 'req_1');
  await expect(send).rejects.toMatchObject({ name: 'TemporalUnavailable' });
  expect(attempts).toBe(8);
});
