import { Client, type Connection } from '@temporalio/client';
import { ORDERS_TASK_QUEUE } from '../../workflows/messages';
import { WEBHOOKS_TASK_QUEUE } from '../../workflows/webhook-messages';
import { Breaker } from './breaker';
import { EndpointWorkflows } from './endpoints';
import { probe, workerIsPolling } from './health';
import type { TemporalContext } from './options';
import { OrderWorkflows } from './orders';
import { QuoteWorkflows } from './quotes';
import { Runs } from './runs';
import { ensureRetention, ensureSweeper } from './schedules';

export type { OrderRef } from './orders';

export interface TemporalOptions {
  connection: Connection;
  namespace: string;
  taskQueue?: string;
  webhooksTaskQueue?: string;
  quietPeriodMs: number;
  statusAttribute: boolean;
}

/** The only way from HTTP, activities and the relay to Temporal. */
export interface Temporal {
  client: Client;
  breaker: Breaker;
  orders: OrderWorkflows;
  quotes: QuoteWorkflows;
  endpoints: EndpointWorkflows;
  runs: Runs;
  ensureSweeper(): Promise<void>;
  ensureRetention(): Promise<void>;
  /** Rejects when Temporal does not answer within a second or so. */
  probe(): Promise<void>;
  workerIsPolling(): Promise<boolean>;
  close(): void;
}

export function openTemporal(options: TemporalOptions): Temporal {
  const { connection, namespace, quietPeriodMs, statusAttribute } = options;
  const client = new Client({ connection, namespace });
  const breaker = new Breaker(() => probe(client, namespace));
  const context: TemporalContext = {
    client, namespace, breaker, quietPeriodMs, statusAttribute,
    ordersTaskQueue: options.taskQueue ?? ORDERS_TASK_QUEUE,
    webhooksTaskQueue: options.webhooksTaskQueue ?? WEBHOOKS_TASK_QUEUE,
  };
  return {
    client,
    breaker,
    orders: new OrderWorkflows(context),
    quotes: new QuoteWorkflows(context),
    endpoints: new EndpointWorkflows(context),
    runs: new Runs(context),
    ensureSweeper: () => ensureSweeper(context),
    ensureRetention: () => ensureRetention(context),
    probe: () => probe(client, namespace),
    workerIsPolling: () => workerIsPolling(context),
    close: () => breaker.close(),
  };
}
