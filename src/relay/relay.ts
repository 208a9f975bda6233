import { claimFirstAttempts, forgetProcess, holdClaimed, notifyDeliveries, releaseClaims, seeProcess } from '../db/repositories/relay';
import { UnflushedDatabase } from '../db/unflushed';
import type { Dependencies } from '../dependencies';
import { newId } from '../security/ids';
import { attempt, type Leased } from './attempt';
import type { FreshEndpoints } from './fresh-endpoints';
import { HandOvers } from './hand-over';
import { Lanes } from './lanes';
import { Looks } from './looks';
import { Results } from './results';
import { Wake } from './wake';

/** How often the outbox is looked at where commits are heard, and where they are not; how often failures are handed over. */
const LOOK_MS = 1_000;
const LOOK_DEAF_MS = 100;
/** The least time between two looks, ms: the first of a crowd is taken up at once, those close behind it together. */
const LOOKS_APART_MS = 25;
const HAND_OVER_MS = 1_000;
const SEEN_EVERY_MS = 5_000;
/** Results that are not stored yet: above this nothing more is sent. */
const MAX_UNRECORDED = 2_000;

type RelayDeps = Pick<
  Dependencies,
  | 'config'
  | 'database'
  | 'clock'
  | 'logger'
  | 'temporal'
  | 'webhookSender'
  | 'webhookRetryScheduleMs'
  | 'attemptsInFlight'
  | 'freshEndpoints'
>;

/**
 * Sends first attempts straight from the deliveries' rows, because nearly all succeed and need no workflow (ruling 36). Claims them in
 * batches, posts a few at a time to each endpoint, records results in batches, and hands over what did not succeed. Needs nothing but the
 * database; if it dies, another relay claims its deliveries once the lease is over.
 */
export class Relay {
  private readonly id = newId('req');
  private readonly freshEndpoints: FreshEndpoints;
  private readonly lanes: Lanes;
  private readonly results: Results;
  private readonly wake: Wake;
  private readonly outbox: Looks;
  private readonly failures: Looks;
  private readonly handOvers: HandOvers;
  /** A claim that a crash of PostgreSQL loses is made again: it need not wait for the disk. */
  private readonly claims: UnflushedDatabase;
  private seen: NodeJS.Timeout | null = null;

  constructor(private readonly deps: RelayDeps) {
    const { config, database, logger } = deps;
    this.claims = new UnflushedDatabase(config.databaseUrl);
    this.freshEndpoints = deps.freshEndpoints;
    this.lanes = new Lanes(
      deps.attemptsInFlight,
      (leased) => this.attempt(leased),
      () => this.outbox.soon(),
    );
    this.results = new Results(deps, (result, state) => {
      if (!result.ok && state === 'pending') this.failures.soon();
    });
    this.wake = new Wake(
      config.databaseListenUrl,
      () => notifyDeliveries(database),
      () => this.outbox.soon(),
      logger,
    );
    const trouble = (what: string) => (error: unknown) => logger.warn({ err: error }, what);
    this.outbox = new Looks(
      () => this.claim(),
      () => (this.wake.isHearing ? LOOK_MS : LOOK_DEAF_MS),
      trouble('webhook deliveries cannot be claimed'),
      LOOKS_APART_MS,
    );
    this.handOvers = new HandOvers(deps, () => this.failures.soon());
    this.failures = new Looks(
      async () => this.handOvers.look().then(() => false),
      () => HAND_OVER_MS,
      trouble('webhook deliveries cannot be handed over'),
      LOOKS_APART_MS,
    );
  }

  start(): void {
    this.wake.start();
    this.outbox.start();
    this.failures.start();
    this.sayHello();
    this.seen = setInterval(() => this.sayHello(), SEEN_EVERY_MS).unref();
  }

  /** Begins nothing more, waits for what is on its way (ten seconds at most) and stores what came of it. */
  async stop(): Promise<void> {
    if (this.seen !== null) clearInterval(this.seen);
    await this.wake.close();
    await this.outbox.stop();
    await this.claims.close();
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
    await forgetProcess(this.deps.database, this.id).catch(() => undefined);
  }

  /** @returns true when there may be more to claim at once */
  private async claim(): Promise<boolean> {
    if (this.results.waiting > MAX_UNRECORDED) return false;
    const rooms = this.lanes.rooms();
    const askedAtMs = performance.now();
    const claimed = await claimFirstAttempts(await this.claims.sql(), rooms);
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
    this.outbox.soon();
  }

  private sayHello(): void {
    seeProcess(this.deps.database, this.id, 'relay').catch(() => undefined);
  }
}
