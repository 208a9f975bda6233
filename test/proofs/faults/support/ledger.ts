import { setTimeout as delay } from 'node:timers/promises';
import type { Dependencies } from '../../../../src/dependencies';
import { until } from '../../../../scripts/start/ports';
import type { Environment } from '../../../../src/domain/limits';
import { orderIdOfQuote } from '../../../../src/domain/quote-state';
import type { OrderMessage } from '../../../../src/domain/order-status';
import { newId, newSecret } from '../../../../src/security/ids';
import { copyRow } from '../../../support/copies';
import { milestone, orderWorkflowId } from '../../../../workflows/messages';
import { codeOf, Insistence, type Call, type Heard } from './insist';
import { aPlan, type Step } from './plans';
import type { Random } from '../../../support/random';
import type { Stack } from './stack';

export interface Shop {
  accountId: string;
  environment: Environment;
  keys: string[];
  /** A real quote, copied for every order. */
  quoteId: string;
  totalCents: number;
}

/** One Idempotency-Key and all that was heard for it. */
export interface Entry {
  shop: Shop;
  key: string;
  quoteId: string;
  orderId: string;
  /** The bytes of the first 201. */
  first: string | null;
  refusal: string | null;
  /** Another key went after the same quote. */
  contested: boolean;
  /** The client tried once and never came back, whatever it heard. */
  givenUp: boolean;
  /** What the service said it has done to the order, in turn. */
  done: OrderMessage[];
}

/** A client may be unlucky more than once, and a part frozen for more than a minute. */
const LONGEST_OUTCOME_MS = 300_000;

/** Clients and a studio that write down what they were told. */
export class Ledger {
  readonly entries: Entry[] = [];
  readonly problems: string[] = [];
  readonly insistence: Insistence;
  private stopped = false;

  constructor(
    private readonly stack: Stack,
    private readonly deps: Dependencies,
    private readonly random: Random,
    private readonly giveUps: number,
  ) {
    this.insistence = new Insistence(random.fork(), LONGEST_OUTCOME_MS, (problem) => this.problems.push(problem));
  }

  /** Orders on and on until `stop`; resolves when the last one has been seen through. */
  async trade(shops: readonly Shop[], clients: number, pauseMs: number): Promise<void> {
    await Promise.all(
      Array.from({ length: clients }, async (_, index) => {
        const random = this.random.fork();
        const shop = shops[index % shops.length];
        if (shop === undefined) return;
        while (!this.stopped) {
          await this.oneOrder(shop, random).catch((error: Error) => this.problems.push(error.message));
          await delay(random.between(0, pauseMs));
        }
      }),
    );
  }

  /** Orders on and on by so many clients until `signal`, whom each answer but 201 is a fault; resolves with how many there were. */
  async placeThroughout(shops: readonly Shop[], clients: number, restMs: number, signal: AbortSignal): Promise<number> {
    let placed = 0;
    await Promise.all(
      Array.from({ length: clients }, async (_, index) => {
        const random = this.random.fork();
        const shop = shops[index % shops.length];
        while (shop !== undefined && !signal.aborted) {
          const entry = this.open(shop, await this.copyOfQuote(shop), false);
          const heard = await this.insistence.once(this.placing(entry), 20_000);
          if (heard?.status === 201) {
            entry.first = heard.text;
            placed += 1;
          } else if (heard?.status === 429) {
            entry.givenUp = true;
          } else {
            this.problems.push(
              `${entry.orderId}: placing an order next to a frozen part was answered ${heard === null ? 'not at all' : `${heard.status} ${heard.text.slice(0, 200)}`}`,
            );
          }
          await delay(random.between(0, restMs));
        }
      }),
    );
    if (placed === 0) this.problems.push('no order was placed next to a frozen part');
    return placed;
  }

  /** Orders that clients know to be placed. */
  get answered(): number {
    return this.entries.filter(({ first }) => first !== null).length;
  }

  stop(): void {
    this.stopped = true;
  }

  /** The same key and body once more for every order: the bytes must be those of the first 201. */
  async repeatAll(): Promise<void> {
    const placed = this.entries.filter(({ first }) => first !== null);
    await Promise.all(
      Array.from({ length: 6 }, async (_, lane) => {
        for (let index = lane; index < placed.length; index += 6) {
          const entry = placed[index];
          if (entry !== undefined) await this.place(entry).catch((error: Error) => this.problems.push(error.message));
        }
      }),
    );
  }

  private async oneOrder(shop: Shop, random: Random): Promise<void> {
    const quoteId = await this.copyOfQuote(shop);
    const contested = random.chance(0.1);
    const entry = this.open(shop, quoteId, contested);
    if (!contested && random.chance(this.giveUps)) return this.tryOnce(entry);
    const tries = [this.place(entry)];
    if (contested) tries.push(this.place(this.open(shop, quoteId, true)));
    if (random.chance(0.15)) tries.push(this.place(entry));
    await Promise.all(tries);
    if (entry.first === null) return;
    if (random.chance(0.3)) await this.place(entry);
    if (random.chance(0.3)) await this.read(entry);
    for (const step of aPlan(entry.orderId, shop.totalCents, random)) await this.take(entry, step, random);
    if (random.chance(0.3)) await this.read(entry);
  }

  private open(shop: Shop, quoteId: string, contested: boolean): Entry {
    const entry: Entry = {
      shop,
      key: newSecret(),
      quoteId,
      orderId: orderIdOfQuote(quoteId),
      first: null,
      refusal: null,
      contested,
      givenUp: false,
      done: [],
    };
    this.entries.push(entry);
    return entry;
  }

  private async tryOnce(entry: Entry): Promise<void> {
    entry.givenUp = true;
    const heard = await this.insistence.once(this.placing(entry), 500);
    if (heard?.status === 201) entry.first = heard.text;
  }

  private placing({ shop, key, quoteId }: Entry): Call {
    return {
      method: 'POST',
      url: `${this.stack.tradeUrl}/orders`,
      credential: this.keyOf(shop),
      headers: { 'idempotency-key': key },
      body: { quoteId },
    };
  }

  private async place(entry: Entry): Promise<void> {
    const heard = await this.insistence.hear(this.placing(entry));
    if (heard.status !== 201) return this.refused(entry, heard);
    entry.first ??= heard.text;
    if (entry.first !== heard.text)
      this.problems.push(`${entry.orderId}: a retry with the same key gave other bytes: ${heard.text} instead of ${entry.first}`);
    if (entry.refusal !== null) this.problems.push(`${entry.orderId}: the same key was answered ${entry.refusal} and 201`);
  }

  private refused(entry: Entry, heard: Heard): void {
    entry.refusal = `${heard.status} ${codeOf(heard)}`;
    const lostToAnother = entry.contested && entry.refusal === '409 QUOTE_ALREADY_ORDERED';
    if (!lostToAnother || entry.first !== null) this.problems.push(`${entry.orderId}: POST /orders was refused with ${entry.refusal}`);
  }

  /** What was answered 201 can be read, from then on. */
  private async read({ shop, orderId }: Entry): Promise<void> {
    const heard = await this.insistence.hear({
      method: 'GET',
      url: `${this.stack.tradeUrl}/orders/${orderId}`,
      credential: this.keyOf(shop),
    });
    if (heard.status !== 200 || JSON.parse(heard.text).data.orderId !== orderId)
      this.problems.push(`${orderId}: reading it answered ${heard.status} ${heard.text.slice(0, 200)}`);
  }

  private async take(entry: Entry, step: Step, random: Random): Promise<void> {
    if (step.afterMs !== undefined) await delay(step.afterMs);
    else await delay(random.between(0, 300));
    if (step.by === 'signal') await this.signal(entry.orderId, step.message);
    else await this.tell(entry, step);
    entry.done.push(step.message);
  }

  private async tell(entry: Entry, step: Step): Promise<void> {
    const url =
      step.by === 'account'
        ? `${this.stack.tradeUrl}/orders/${entry.orderId}/cancel`
        : `${this.stack.studioUrl}/orders/${entry.orderId}/${step.path}`;
    const credential = step.by === 'account' ? this.keyOf(entry.shop) : () => this.stack.studioToken;
    const heard = await this.insistence.hear({ method: step.method, url, credential, ...(step.body && { body: step.body }) });
    if (heard.status !== 200)
      throw new Error(`${entry.orderId}: ${step.message.type} was answered ${heard.status} ${heard.text.slice(0, 300)}`);
  }

  /** As a floor system does that speaks Temporal itself: fire and forget, again until Temporal has taken it. */
  private async signal(orderId: string, message: OrderMessage): Promise<void> {
    const { client } = this.deps.temporal;
    await until(
      `${orderId}: the signal was not taken`,
      async () => {
        await client.withDeadline(Date.now() + 5000, () => client.workflow.getHandle(orderWorkflowId(orderId)).signal(milestone, message));
        return true;
      },
      { timeoutMs: LONGEST_OUTCOME_MS, everyMs: 300 },
    );
  }

  private copyOfQuote({ quoteId }: Shop): Promise<string> {
    const copy = newId('quo');
    return until(
      'no quote could be made',
      async () => {
        await copyRow(this.deps.database, 'quotes', quoteId, [{ id: copy, consumed_at: null }]);
        return copy;
      },
      { timeoutMs: LONGEST_OUTCOME_MS, everyMs: 200 },
    );
  }

  private readonly keyOf = (shop: Shop) => () => this.insistence.pick(shop.keys);
}
