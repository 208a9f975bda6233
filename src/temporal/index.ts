import { Client, type Connection } from '@temporalio/client';
import { ORDERS_TASK_QUEUE } from '../../workflows/messages';
import { ARTWORK_TASK_QUEUE } from '../../workflows/artwork-messages';
import { WEBHOOKS_TASK_QUEUE } from '../../workflows/webhook-messages';
import type { PayloadCodec } from '@temporalio/common';
import type { CodecKeys } from '../security/payload-codec';
import { CircuitBreaker } from './breaker';
import { payloadCodecs } from './codec';
import { isWorkerPolling, probe, readBacklogs, type Backlog } from './health';
import { TEMPORAL_TIMEOUTS, type TemporalContext, type TemporalTimeouts } from './options';
import { OrderWorkflows } from './orders';
import { WorkflowRuns } from './runs';
import { reportSchedules, type ScheduleReport } from './schedule-reports';
import { ensureSchedules } from './schedules';
import { ArtworkWorkflows, EndpointWorkflows, QuoteWorkflows, SendWorkflows } from './workflows';

export interface TemporalSettings {
  temporal: { namespace: string };
  orderQuietPeriodMs: number;
  confirmationDelayMs: number;
  /** Keys for encrypted payloads; null for unencrypted ones. */
  codecKeys: CodecKeys | null;
}

/** With other task queues, several services can share one Temporal. */
export interface TemporalOverrides {
  /** Replaces `orders`. */
  taskQueue?: string;
  webhooksTaskQueue?: string;
  artworkTaskQueue?: string;
  temporalTimeouts?: TemporalTimeouts;
}

/** The only way in which HTTP, activities and the relay use Temporal. */
export interface Temporal {
  client: Client;
  /** The client's codecs; workers must use the same. */
  codecs: PayloadCodec[];
  breaker: CircuitBreaker;
  orders: OrderWorkflows;
  quotes: QuoteWorkflows;
  endpoints: EndpointWorkflows;
  artwork: ArtworkWorkflows;
  sends: SendWorkflows;
  runs: WorkflowRuns;
  ensureSchedules(timeZone: string): Promise<void>;
  reportSchedules(): Promise<ScheduleReport[]>;
  /** Rejects if Temporal does not answer within about a second. */
  probe(): Promise<void>;
  isWorkerPolling(queue: 'orders' | 'webhooks' | 'artwork', timeoutMs?: number): Promise<boolean>;
  /** The waiting tasks of each queue. */
  readBacklogs(): Promise<Backlog[]>;
  close(): void;
}

export function openTemporal(
  connection: Connection,
  { temporal: { namespace }, orderQuietPeriodMs: quietPeriodMs, confirmationDelayMs, codecKeys }: TemporalSettings,
  {
    taskQueue: orders = ORDERS_TASK_QUEUE,
    webhooksTaskQueue: webhooks = WEBHOOKS_TASK_QUEUE,
    artworkTaskQueue: artwork = ARTWORK_TASK_QUEUE,
    temporalTimeouts: timeouts = TEMPORAL_TIMEOUTS,
  }: TemporalOverrides = {},
): Temporal {
  const codecs = payloadCodecs(codecKeys);
  const client = new Client({ connection, namespace, dataConverter: { payloadCodecs: codecs } });
  const breaker = new CircuitBreaker(() => probe({ client, namespace, timeouts }));
  const context: TemporalContext = {
    client,
    namespace,
    timeouts,
    breaker,
    settings: { quietPeriodMs, confirmationDelayMs, webhooksTaskQueue: webhooks },
    ordersTaskQueue: orders,
    artworkTaskQueue: artwork,
  };
  const queues = { orders, webhooks, artwork };
  return {
    client,
    codecs,
    breaker,
    orders: new OrderWorkflows(context),
    quotes: new QuoteWorkflows(context),
    endpoints: new EndpointWorkflows(context),
    artwork: new ArtworkWorkflows(context),
    sends: new SendWorkflows(context),
    runs: new WorkflowRuns(context),
    ensureSchedules: (timeZone) => ensureSchedules(context, timeZone),
    reportSchedules: () => reportSchedules(context),
    probe: () => probe(context),
    isWorkerPolling: (queue, timeoutMs) => isWorkerPolling(context, queues[queue], timeoutMs),
    readBacklogs: () => readBacklogs(context, queues),
    close: () => breaker.close(),
  };
}
