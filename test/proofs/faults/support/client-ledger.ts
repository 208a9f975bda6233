import { setTimeout as delay } from 'node:timers/promises';
import type { Dependencies } from '../../../../src/processes/dependencies';
import { waitUntil } from '../../../../scripts/start/ports';
import type { Environment } from '../../../../src/domain/limits';
import { orderIdOfQuote } from '../../../../src/domain/quote-state';
import type { OrderMessage } from '../../../../src/domain/order-messages';
import { newId, newSecret } from '../../../../src/security/ids';
import { copyRow } from '../../../support/row-copies';
import { milestone, orderWorkflowId } from '../../../../workflows/messages';
import { codeOf, RetryingClient, type ClientCall, type ReceivedAnswer } from './retrying-client';
import { aPlan, type OrderStep } from './order-plans';
import type { Random } from '../../../support/random';
import type { Stack } from './stack';

export interface ClientAccount {
  accountId: string;
  environment: Environment;
  keys: string[];
  /** A real quote, copied for every order. */
  quoteId: string;
  totalCents: number;
}

/** One Idempotency-Key with all responses to it. */
export interface ClientOrder {
  shop: ClientAccount;
  key: string;
  quoteId: string;
  orderId: string;
  /** The bytes of the first 201. */
  firstResponse: string | null;
  refusal: string | null;
  /** Another key ordered the same quote. */
  isContested: boolean;
  /** The client tried once and never retried. */
  isAbandoned: boolean;
  /** Confirmed changes of the order, in sequence. */
  appliedMessages: OrderMessage[];
}

/** Orders that race for an account's credit, and how many of them it covers. */
const RACERS = 20;
const COVERED = 7;
/** Requests a minute that a key may send to `GET /account`, and requests that exceed it. */
const BUDGET = 120;
const EXCESS = 20;

/** A client may fail more than once, and a process may be frozen for more than a minute. */
const OUTCOME_TIMEOUT_MS = 300_000;

/** Clients and a studio that record all responses. */
export class ClientLedger {
  readonly entries: ClientOrder[] = [];
  readonly problems: string[] = [];
  readonly client: RetryingClient;
  private isStopped = false;

  constructor(
    private readonly stack: Stack,
    private readonly deps: Dependencies,
    private readonly random: Random,
    private readonly abandonRate: number,
  ) {
    this.client = new RetryingClient(random.fork(), OUTCOME_TIMEOUT_MS, (problem) => this.problems.push(problem));
  }

  /** Places orders until `stop`. Resolves when the last one is complete. */
  async placeOrdersUntilStopped(shops: readonly ClientAccount[], clients: number, pauseMs: number): Promise<void> {
    await Promise.all(
      Array.from({ length: clients }, async (_, index) => {
        const random = this.random.fork();
        const shop = shops[index % shops.length];
        if (shop === undefined) return;
        while (!this.isStopped) {
          await this.runOneOrder(shop, random).catch((error: Error) => this.problems.push(error.message));
          await delay(random.between(0, pauseMs));
        }
      }),
    );
  }

  /**
   * Places orders by `clients` clients until `signal`. Every final response but 201 is a failure.
   * @returns the number of orders
   */
  async placeOrdersUntil(shops: readonly ClientAccount[], clients: number, restMs: number, signal: AbortSignal): Promise<number> {
    let placed = 0;
    await Promise.all(
      Array.from({ length: clients }, async (_, index) => {
        const random = this.random.fork();
        const shop = shops[index % shops.length];
        while (shop !== undefined && !signal.aborted) {
          const entry = this.addEntry(shop, await this.copyQuoteOf(shop), false);
          const answer = await this.sendUnlessOverloaded(this.placeOrderCall(entry));
          if (answer?.status === 201) {
            entry.firstResponse = answer.text;
            placed += 1;
          } else if (answer?.status === 429) {
            entry.isAbandoned = true;
          } else {
            this.problems.push(
              `${entry.orderId}: placing an order next to a frozen part was answered ${answer === null ? 'not at all' : `${answer.status} ${answer.text.slice(0, 200)}`}`,
            );
          }
          await delay(random.between(0, restMs));
        }
      }),
    );
    if (placed === 0) this.problems.push('no order was placed next to a frozen part');
    return placed;
  }

  /** Repeats the request while the service is overloaded, which a busy machine can cause. */
  private async sendUnlessOverloaded(call: ClientCall): Promise<ReceivedAnswer | null> {
    const deadline = Date.now() + OUTCOME_TIMEOUT_MS;
    for (;;) {
      const answer = await this.client.sendOnce(call, 20_000);
      if (answer === null || codeOf(answer) !== 'OVERLOADED' || Date.now() > deadline) return answer;
      await delay(1000);
    }
  }

  /** Orders that clients know to be placed. */
  get answeredCount(): number {
    return this.entries.filter(({ firstResponse }) => firstResponse !== null).length;
  }

  stop(): void {
    this.isStopped = true;
  }

  /** Repeats every order with its key and body: the bytes must be those of the first 201. */
  async repeatAll(): Promise<void> {
    const placed = this.entries.filter(({ firstResponse }) => firstResponse !== null);
    await Promise.all(
      Array.from({ length: 6 }, async (_, lane) => {
        for (let index = lane; index < placed.length; index += 6) {
          const entry = placed[index];
          if (entry !== undefined) await this.place(entry).catch((error: Error) => this.problems.push(error.message));
        }
      }),
    );
  }

  /** Sends more orders at once than the account's credit covers, and more reads than the key's budget allows. Both limits are exact. */
  async exceedLimits(shop: ClientAccount, key: string, outstanding: () => Promise<number>): Promise<void> {
    const limitCents = (await outstanding()) + (COVERED + 1) * shop.totalCents - 1;
    await this.deps.database.run('UPDATE accounts SET credit_limit_cents = $2 WHERE id = $1', [shop.accountId, limitCents]);
    await Promise.all(
      Array.from({ length: RACERS }, async () => this.placeOnCredit(this.addEntry(shop, await this.copyQuoteOf(shop), false))),
    );
    const spentCents = await outstanding();
    if (spentCents > limitCents || spentCents <= limitCents - shop.totalCents)
      this.problems.push(
        `${shop.accountId}: ${spentCents} cents outstanding on a credit limit of ${limitCents}, an order is ${shop.totalCents}`,
      );
    const read: ClientCall = { method: 'GET', url: `${this.stack.tradeUrl}/account`, credential: () => key };
    const statuses = await Promise.all(Array.from({ length: BUDGET + EXCESS }, () => this.sendUntilAdmitted(read)));
    const admitted = statuses.filter((status) => status === 200).length;
    const refused = statuses.filter((status) => status === 429).length;
    if (admitted !== BUDGET || refused !== EXCESS)
      this.problems.push(
        `${shop.accountId}: a budget of ${BUDGET} admitted ${admitted} requests and refused ${refused} of ${statuses.length}`,
      );
  }

  private async placeOnCredit(entry: ClientOrder): Promise<void> {
    const answer = await this.client.send(this.placeOrderCall(entry));
    if (answer.status === 201) entry.firstResponse = answer.text;
    else if (codeOf(answer) === 'CREDIT_LIMIT_EXCEEDED') entry.refusal = `${answer.status} ${codeOf(answer)}`;
    else this.recordRefusal(entry, answer);
  }

  /** `OVERLOADED` does not count against a budget. */
  private async sendUntilAdmitted(call: ClientCall): Promise<number | null> {
    for (;;) {
      const answer = await this.client.sendOnce(call, OUTCOME_TIMEOUT_MS);
      if (answer?.status !== 503) return answer?.status ?? null;
      await delay(this.random.between(100, 700));
    }
  }

  private async runOneOrder(shop: ClientAccount, random: Random): Promise<void> {
    const quoteId = await this.copyQuoteOf(shop);
    const contested = random.chance(0.1);
    const entry = this.addEntry(shop, quoteId, contested);
    if (!contested && random.chance(this.abandonRate)) return this.tryOnce(entry);
    const tries = [this.place(entry)];
    if (contested) tries.push(this.place(this.addEntry(shop, quoteId, true)));
    if (random.chance(0.15)) tries.push(this.place(entry));
    await Promise.all(tries);
    if (entry.firstResponse === null) return;
    if (random.chance(0.3)) await this.place(entry);
    if (random.chance(0.3)) await this.expectReadable(entry);
    for (const step of aPlan(entry.orderId, shop.totalCents, random)) await this.performStep(entry, step, random);
    if (random.chance(0.3)) await this.expectReadable(entry);
  }

  private addEntry(shop: ClientAccount, quoteId: string, contested: boolean): ClientOrder {
    const entry: ClientOrder = {
      shop,
      key: newSecret(),
      quoteId,
      orderId: orderIdOfQuote(quoteId),
      firstResponse: null,
      refusal: null,
      isContested: contested,
      isAbandoned: false,
      appliedMessages: [],
    };
    this.entries.push(entry);
    return entry;
  }

  private async tryOnce(entry: ClientOrder): Promise<void> {
    entry.isAbandoned = true;
    const answer = await this.client.sendOnce(this.placeOrderCall(entry), 500);
    if (answer?.status === 201) entry.firstResponse = answer.text;
  }

  private placeOrderCall({ shop, key, quoteId }: ClientOrder): ClientCall {
    return {
      method: 'POST',
      url: `${this.stack.tradeUrl}/orders`,
      credential: this.keyOf(shop),
      headers: { 'idempotency-key': key },
      body: { quoteId },
    };
  }

  private async place(entry: ClientOrder): Promise<void> {
    const answer = await this.client.send(this.placeOrderCall(entry));
    if (answer.status !== 201) return this.recordRefusal(entry, answer);
    entry.firstResponse ??= answer.text;
    if (entry.firstResponse !== answer.text)
      this.problems.push(`${entry.orderId}: a retry with the same key gave other bytes: ${answer.text} instead of ${entry.firstResponse}`);
    if (entry.refusal !== null) this.problems.push(`${entry.orderId}: the same key was answered ${entry.refusal} and 201`);
  }

  private recordRefusal(entry: ClientOrder, answer: ReceivedAnswer): void {
    entry.refusal = `${answer.status} ${codeOf(answer)}`;
    const lostToAnother = entry.isContested && entry.refusal === '409 QUOTE_ALREADY_ORDERED';
    if (!lostToAnother || entry.firstResponse !== null)
      this.problems.push(`${entry.orderId}: POST /orders was refused with ${entry.refusal}`);
  }

  /** An order is readable after its 201. */
  private async expectReadable({ shop, orderId }: ClientOrder): Promise<void> {
    const answer = await this.client.send({
      method: 'GET',
      url: `${this.stack.tradeUrl}/orders/${orderId}`,
      credential: this.keyOf(shop),
    });
    if (answer.status !== 200 || JSON.parse(answer.text).data.orderId !== orderId)
      this.problems.push(`${orderId}: reading it answered ${answer.status} ${answer.text.slice(0, 200)}`);
  }

  private async performStep(entry: ClientOrder, step: OrderStep, random: Random): Promise<void> {
    if (step.afterMs !== undefined) await delay(step.afterMs);
    else await delay(random.between(0, 300));
    if (step.by === 'signal') await this.signal(entry.orderId, step.message);
    else await this.sendStep(entry, step);
    entry.appliedMessages.push(step.message);
  }

  private async sendStep(entry: ClientOrder, step: OrderStep): Promise<void> {
    const url =
      step.by === 'account'
        ? `${this.stack.tradeUrl}/orders/${entry.orderId}/cancel`
        : `${this.stack.studioUrl}/orders/${entry.orderId}/${step.path}`;
    const credential = step.by === 'account' ? this.keyOf(entry.shop) : () => this.stack.studioToken;
    const answer = await this.client.send({ method: step.method, url, credential, ...(step.body && { body: step.body }) });
    if (answer.status !== 200)
      throw new Error(`${entry.orderId}: ${step.message.type} was answered ${answer.status} ${answer.text.slice(0, 300)}`);
  }

  /** Sends like a floor system with its own Temporal client: without waiting for the result, repeated until Temporal accepts it. */
  private async signal(orderId: string, message: OrderMessage): Promise<void> {
    const { client } = this.deps.temporal;
    await waitUntil(
      `${orderId}: the signal was not taken`,
      async () => {
        await client.withDeadline(Date.now() + 5000, () => client.workflow.getHandle(orderWorkflowId(orderId)).signal(milestone, message));
        return true;
      },
      { timeoutMs: OUTCOME_TIMEOUT_MS, everyMs: 300 },
    );
  }

  private copyQuoteOf({ quoteId }: ClientAccount): Promise<string> {
    const copy = newId('quo');
    return waitUntil(
      'no quote could be made',
      async () => {
        await copyRow(this.deps.database, 'quotes', quoteId, [{ id: copy, consumed_at: null }]);
        return copy;
      },
      { timeoutMs: OUTCOME_TIMEOUT_MS, everyMs: 200 },
    );
  }

  private readonly keyOf = (shop: ClientAccount) => () => this.client.pick(shop.keys);
}
