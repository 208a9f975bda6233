import { Connection, type ConnectionOptions } from '@temporalio/client';
import { openTemporal } from '../../../src/temporal';
import { LONG_TEMPORAL_TIMEOUTS } from '../../support/service';
import { sendAsStudio } from '../../support/order-messages';
import { useSharedService } from '../../support/fixtures';
import { aMilestone, OrderDriver } from '../workflows/order-driver';

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];
const NOT_FOUND = 5;

describe('a call that is repeated because its response was lost', () => {
  const service = useSharedService();
  let connection: Connection;
  let calls = 0;

  /** Temporal applies each update with start. The first response arrives as a failure that the service retries. */
  const loseFirstAnswer: Interceptor = (options, nextCall) => {
    const isLost = options.method_definition.path.endsWith('/ExecuteMultiOperation') && ++calls === 1;
    const call = nextCall(options);
    const start = call.start.bind(call);
    call.start = (metadata, listener) =>
      start(metadata, {
        onReceiveMetadata: (received) => listener?.onReceiveMetadata?.(received),
        onReceiveMessage: (received) => listener?.onReceiveMessage?.(received),
        onReceiveStatus: (received) => listener?.onReceiveStatus?.(isLost ? { ...received, code: NOT_FOUND } : received),
      });
    return call as ReturnType<Interceptor>;
  };

  beforeAll(async () => {
    connection = await Connection.connect({ address: service.env.TEMPORAL_ADDRESS ?? '', interceptors: [loseFirstAnswer] });
  });
  afterAll(() => connection?.close());

  it('is one update, applied once', async () => {
    const desk = new OrderDriver(service);
    const ref = await desk.placeOrder();
    const { taskQueue } = service;
    const temporal = openTemporal(connection, service.deps.config, {
      taskQueue,
      webhooksTaskQueue: `${taskQueue}-webhooks`,
      temporalTimeouts: LONG_TEMPORAL_TIMEOUTS,
    });
    await sendAsStudio({ deps: { ...service.deps, temporal } }, ref.orderId, aMilestone('production_started'));
    temporal.close();
    expect(calls).toBe(2);
    const { events } = await desk.handle(ref).fetchHistory();
    expect((events ?? []).filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes)).toHaveLength(1);
    expect(await desk.timeline(ref)).toHaveLength(1);
  });
});
