import type { Clock } from '../clock';
import type { Config } from '../config';
import type { Database } from '../db/database';
import { claimFirstAttempts, DELIVERIES_CHANNEL, holdClaimed, notifyDeliveries, releaseClaims } from '../db/repositories/relay';
import type { Logger } from '../logger';
import type { Temporal } from '../temporal';
import type { WebhookSender } from '../webhooks/send';
import { attempt, type Leased } from './attempt';
import type { FreshEndpoints } from './fresh-endpoints';
import { HandOvers } from './hand-over';
import { Lanes } from './lanes';
import { CommitListener } from '../runtime/commit-listener';
import type { KeyedQueue } from '../runtime/keyed-queue';
import { Poller } from '../runtime/poller';
import { ProcessHeartbeat } from '../runtime/process-heartbeat';
import { Results } from './results';

/** Between polls of the outbox while the relay hears commits, and while it does not. */
const POLL_MS = 1_000;
const POLL_DEAF_MS = 100;
/** Between the starts of two polls: the first delivery of a burst is claimed at once, those close behind it together. */
const MIN_INTERVAL_MS = 25;
const HAND_OVER_MS = 1_000;
/** Results that are not stored yet: above this nothing more is sent. */
const MAX_UNRECORDED = 2_000;

export interface RelayDeps {
  config: Pick<Config, 'databaseListenUrl'>;
  database: Database;
  clock: Clock;
  logger: Logger;
  temporal: Temporal;
  webhookSender: WebhookSender;
  webhookRetryScheduleMs: readonly number[];
  attempts: KeyedQueue;
  freshEndpoints: FreshEndpoints;
}

/**
 * Sends first attempts straight from the deliveries' rows, because nearly all succeed and need no workflow (ruling 36). Claims them in
 * batches, posts a few at a time to each endpoint, records results in batches, and hands over what did not succeed. Needs nothing but the
 * database; if it dies, another relay claims its deliveries once the lease is over.
 */
export class Relay {
  private readonly freshEndpoints: FreshEndpoints;
  private readonly lanes: Lanes;
  private readonly results: Results;
  private readonly commits: CommitListener;
  private readonly heartbeat: ProcessHeartbeat;
  private readonly outbox: Poller;
  private readonly failures: Poller;
  private readonly handOvers: HandOvers;

  constructor(private readonly deps: RelayDeps) {
    const { config, database, logger } = deps;
    this.freshEndpoints = deps.freshEndpoints;
    this.lanes = new Lanes(
      deps.attempts,
      (leased) => this.attempt(leased),
      () => this.outbox.pollNow(),
    );
    this.results = new Results(deps, (result, state) => {
      if (!result.ok && state === 'pending') this.failures.pollNow();
    });
    this.commits = new CommitListener({
      databaseUrl: config.databaseListenUrl,
      channel: DELIVERIES_CHANNEL,
      notify: () => notifyDeliveries(database),
      onNotification: () => this.outbox.pollNow(),
      logger,
    });
    this.heartbeat = new ProcessHeartbeat(deps, 'relay');
    this.outbox = new Poller(() => this.claim(), {
      everyMs: () => (this.commits.isHearing ? POLL_MS : POLL_DEAF_MS),
      minIntervalMs: MIN_INTERVAL_MS,
      onError: (error) => logger.warn({ err: error }, 'webhook deliveries cannot be claimed'),
    });
    this.handOvers = new HandOvers(deps, () => this.failures.pollNow());
    this.failures = new Poller(async () => this.handOvers.look().then(() => false), {
      everyMs: () => HAND_OVER_MS,
      minIntervalMs: MIN_INTERVAL_MS,
      onError: (error) => logger.warn({ err: error }, 'webhook deliveries cannot be handed over'),
    });
  }

  start(): void {
    this.commits.start();
    this.outbox.start();
    this.failures.start();
    this.heartbeat.start();
  }

  /** Begins nothing more, waits for what is on its way (ten seconds at most) and stores what came of it. */
  async stop(): Promise<void> {
    await this.commits.close();
    await this.outbox.stop();
    const left = this.lanes.stop();
    await releaseClaims(
      this.deps.database,
      left.map(({ delivery }) => delivery),
    ).catch(() => undefined);
    while (this.lanes.attemptsInFlight > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await this.results.close();
    await this.failures.stop();
    await this.handOvers.close();
    this.freshEndpoints.close();
    await this.heartbeat.stop();
  }

  /** @returns true when there may be more to claim at once */
  private async claim(): Promise<boolean> {
    if (this.results.waiting > MAX_UNRECORDED) return false;
    const rooms = this.lanes.rooms();
    const askedAtMs = performance.now();
    const claimed = await claimFirstAttempts(this.deps.database, rooms);
    claimed.sort((a, b) => a.created_at.getTime() - b.created_at.getTime()); // an UPDATE answers in no order
    this.lanes.add(
      claimed.map((delivery) => ({ delivery, askedAtMs })),
      rooms,
    );
    return claimed.length >= rooms.most;
  }

  private async attempt(leased: Leased): Promise<void> {
    try {
      const attempted = await attempt(this.deps, leased, 1);
      if ('result' in attempted) this.results.add(attempted.result);
      else await this.putBack(leased, 'switchedOff' in attempted);
    } catch (error) {
      this.deps.logger.warn(
        { err: error, deliveryId: leased.delivery.id },
        'a webhook could not be attempted; it is when its claim has ended',
      );
    }
  }

  /** The delivery becomes held where its endpoint is disabled; else it can be claimed again. */
  private async putBack({ delivery }: Leased, isSwitchedOff: boolean): Promise<void> {
    const { database } = this.deps;
    if (isSwitchedOff) {
      this.deps.webhookSender.forget(delivery.endpoint_id);
      if (await holdClaimed(database, delivery)) return;
      this.freshEndpoints.forget(delivery.endpoint_id); // it has been enabled since its row was read
    }
    await releaseClaims(database, [delivery]);
    this.outbox.pollNow();
  }
}
