import type { Clock } from '../platform/clock';
import type { Config } from '../config/config';
import type { Database } from '../db/database';
import { claimFirstAttempts, DELIVERIES_CHANNEL, holdClaimed, notifyDeliveries, releaseClaims } from '../db/repositories/relay';
import type { Logger } from '../platform/logger';
import { reportIssues } from '../orders/report-issues';
import type { ServiceMetrics } from '../telemetry/metrics';
import type { Temporal } from '../temporal';
import type { WebhookSender } from '../webhooks/send';
import { sendAttempt, type LeasedDelivery } from './attempt';
import type { EndpointCache } from './endpoint-cache';
import { HandoverQueue } from './handover-queue';
import { EndpointQueues } from './endpoint-queues';
import { CommitListener } from '../runtime/commit-listener';
import type { KeyedQueue } from '../runtime/keyed-queue';
import { Poller } from '../runtime/poller';
import { ProcessHeartbeat } from '../runtime/process-heartbeat';
import { ResultRecorder } from './result-recorder';

/** Poll intervals while commit notifications arrive, and while they do not. */
const POLL_INTERVAL_MS = 1_000;
const FALLBACK_POLL_INTERVAL_MS = 100;
/** The minimum time between polls: the first delivery of a burst is claimed at once, the following ones together. */
const MIN_INTERVAL_MS = 25;
const HANDOVER_INTERVAL_MS = 1_000;
const ISSUE_INTERVAL_MS = 1_000;
/** Above this number of results that are not yet stored, no deliveries are claimed. */
const MAX_UNRECORDED = 2_000;

export interface RelayDeps {
  config: Pick<Config, 'databaseDirectUrl'>;
  metrics: ServiceMetrics;
  database: Database;
  clock: Clock;
  logger: Logger;
  temporal: Temporal;
  webhookSender: WebhookSender;
  webhookRetryScheduleMs: readonly number[];
  /** Delivery attempts of this process, by endpoint. */
  attemptQueue: KeyedQueue;
  endpointCache: EndpointCache;
}

/**
 * Sends first attempts directly from the deliveries' rows, because nearly all succeed and need no workflow (ruling 36). Claims deliveries
 * in batches, posts a few at a time to each endpoint, and records the results in batches. Hands deliveries that need retries over to their
 * orders' workflows. Depends only on the database. If a relay dies, another one claims its deliveries when the lease has ended.
 */
export class Relay {
  private readonly endpointCache: EndpointCache;
  private readonly endpointQueues: EndpointQueues;
  private readonly resultRecorder: ResultRecorder;
  private readonly commitListener: CommitListener;
  private readonly heartbeat: ProcessHeartbeat;
  private readonly outboxPoller: Poller;
  private readonly handoverPoller: Poller;
  private readonly issuePoller: Poller;
  private readonly handoverQueue: HandoverQueue;
  /** Aborts the running attempts. */
  private readonly abandonment = new AbortController();

  constructor(private readonly deps: RelayDeps) {
    const { config, database, logger } = deps;
    this.endpointCache = deps.endpointCache;
    this.endpointQueues = new EndpointQueues(
      deps.attemptQueue,
      (leased) => this.attempt(leased),
      () => this.outboxPoller.pollNow(),
    );
    this.resultRecorder = new ResultRecorder(deps, (result, state) => {
      if (!result.ok && state === 'pending') this.handoverPoller.pollNow();
    });
    this.commitListener = new CommitListener({
      databaseUrl: config.databaseDirectUrl,
      channel: DELIVERIES_CHANNEL,
      notify: () => notifyDeliveries(database),
      onNotification: () => this.outboxPoller.pollNow(),
      logger,
    });
    this.heartbeat = new ProcessHeartbeat(deps, 'relay');
    this.outboxPoller = new Poller(() => this.claim(), {
      intervalMs: () => (this.commitListener.isReceiving ? POLL_INTERVAL_MS : FALLBACK_POLL_INTERVAL_MS),
      minIntervalMs: MIN_INTERVAL_MS,
      onError: (error) => logger.warn({ err: error }, 'claiming webhook deliveries failed'),
    });
    this.handoverQueue = new HandoverQueue(deps, () => this.handoverPoller.pollNow());
    this.handoverPoller = new Poller(async () => this.handoverQueue.poll().then(() => false), {
      intervalMs: () => HANDOVER_INTERVAL_MS,
      minIntervalMs: MIN_INTERVAL_MS,
      onError: (error) => logger.warn({ err: error }, 'handing over webhook deliveries failed'),
    });
    this.issuePoller = new Poller(() => this.reportIssues(), {
      intervalMs: () => ISSUE_INTERVAL_MS,
      onError: (error) => logger.warn({ err: error }, 'reporting the issues of orders failed'),
    });
  }

  start(): void {
    this.commitListener.start();
    this.outboxPoller.start();
    this.handoverPoller.start();
    this.issuePoller.start();
    this.heartbeat.start();
  }

  /** @returns true if further orders may wait */
  private async reportIssues(): Promise<boolean> {
    const { checked, deliveries } = await reportIssues(this.deps);
    if (deliveries > 0) this.outboxPoller.pollNow();
    return checked > 0;
  }

  /**
   * Stops claiming deliveries, waits for running attempts and stores their results. Aborts attempts that take longer than `graceMs` and
   * releases their claims, so another relay repeats them.
   */
  async stop(graceMs: number): Promise<void> {
    const graceTimer = setTimeout(() => this.abandonment.abort(new Error('the relay stops')), graceMs);
    await Promise.all([this.outboxPoller.stop(), this.issuePoller.stop(), this.commitListener.close()]);
    const unstarted = this.endpointQueues.stop();
    await releaseClaims(
      this.deps.database,
      unstarted.map(({ delivery }) => delivery),
    ).catch(() => undefined);
    while (this.endpointQueues.attemptsInFlight > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    clearTimeout(graceTimer);
    await this.resultRecorder.close();
    await this.handoverPoller.stop();
    await this.handoverQueue.close();
    this.endpointCache.close();
    await this.heartbeat.stop();
  }

  /** @returns true if there may be more to claim */
  private async claim(): Promise<boolean> {
    if (this.resultRecorder.pendingCount > MAX_UNRECORDED) return false;
    const capacity = this.endpointQueues.capacity();
    const requestedAtMs = performance.now();
    const claimed = await claimFirstAttempts(this.deps.database, capacity);
    claimed.sort((a, b) => a.created_at.getTime() - b.created_at.getTime()); // UPDATE returns rows in no order
    this.endpointQueues.add(
      claimed.map((delivery) => ({ delivery, requestedAtMs })),
      capacity,
    );
    return claimed.length >= capacity.maxTotal;
  }

  private async attempt(leased: LeasedDelivery): Promise<void> {
    try {
      const sendResult = await sendAttempt(this.deps, leased, 1, this.abandonment.signal);
      if ('result' in sendResult) this.resultRecorder.add(sendResult.result);
      else await this.returnDelivery(leased, 'switchedOff' in sendResult);
    } catch (error) {
      if (this.abandonment.signal.aborted) return releaseClaims(this.deps.database, [leased.delivery]).catch(() => undefined);
      this.deps.logger.warn(
        { err: error, deliveryId: leased.delivery.id },
        'a webhook was not attempted; the attempt will be repeated when its claim has ended',
      );
    }
  }

  /** Holds the delivery if its endpoint is disabled; otherwise releases its claim. */
  private async returnDelivery({ delivery }: LeasedDelivery, isDisabled: boolean): Promise<void> {
    const { database } = this.deps;
    if (isDisabled) {
      this.deps.webhookSender.closeConnections(delivery.endpoint_id);
      if (await holdClaimed(database, delivery)) return;
      this.endpointCache.evict(delivery.endpoint_id); // the endpoint was enabled after the cache read its row
    }
    await releaseClaims(database, [delivery]);
    this.outboxPoller.pollNow();
  }
}
