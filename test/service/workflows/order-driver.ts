import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { OrderMessage } from '../../../src/domain/order-messages';
import { clientCancel } from '../../../src/domain/order-messages/cancelled';
import type { Environment } from '../../../src/domain/limits';
import type { TimelineRow } from '../../../src/db/rows';
import { placeOrder } from '../../../src/orders/place-order';
import { sendMessage } from '../../../src/orders/send-message';
import { newId, newSecret } from '../../../src/security/ids';
import { orderWorkflowId } from '../../../workflows/messages';
import { aQuote } from '../../support/baskets';
import { sendAsStudio } from '../../support/order-messages';
import { copyRow } from '../../support/row-copies';
import type { TestService } from '../../support/service';
import { waitFor } from '../../support/wait-for';

/** A placed order. */
export interface OrderRef {
  orderId: string;
  orderNumber: string;
  accountId: string;
  environment: Environment;
}

type TimelineLine = Pick<TimelineRow, 'milestone_id' | 'type' | 'outcome' | 'reason' | 'content' | 'actor'>;

/**
 * Many orders without HTTP and its rate limits: quotes are copies of a priced one, and reach Temporal through the gateway like
 * those of the API.
 */
export class OrderDriver {
  private readonly pricedQuotes = new Map<string, Promise<string>>();

  constructor(readonly service: TestService) {}

  get gateway() {
    return this.service.deps.temporal.orders;
  }

  get client() {
    return this.service.deps.temporal.client;
  }

  /** An open quote without a timer. */
  async createQuote(environment: Environment = 'test', whiteLabel = true): Promise<string> {
    const kind = `${environment}/${whiteLabel}`;
    let priced = this.pricedQuotes.get(kind);
    if (priced === undefined) {
      const { account } = this.service;
      priced = aQuote(this.service.trade(environment === 'live' ? account.liveKey : account.testKey), { whiteLabel }).then(
        ({ quoteId }) => quoteId,
      );
      this.pricedQuotes.set(kind, priced);
    }
    const quoteId = newId('quo');
    await copyRow(this.service.deps.database, 'quotes', await priced, [{ id: quoteId, consumed_at: null, expired_at: null }]);
    return quoteId;
  }

  /** Places an order of the quote with a new key. Resolves when its workflow has been started. */
  async placeOrderOf(
    quoteId: string,
    environment: Environment = 'test',
    accountId = this.service.account.accountId,
    now = () => this.service.deps.clock.now(),
  ): Promise<OrderRef> {
    const { body } = await placeOrder(
      { ...this.service.deps, clock: { now } },
      {
        accountId,
        environment,
        quoteId,
        idempotencyKey: newSecret(),
        fingerprint: 'test',
        specialInstructions: null,
        reference: null,
        metadata: null,
        requestId: newId('req'),
      },
    );
    const { orderId, orderNumber } = JSON.parse(body).data;
    await waitFor(
      'the start of the workflow',
      async () => (await this.sql('SELECT 1 FROM orders WHERE id = $1 AND workflow_checked_at IS NOT NULL', [orderId])).length > 0,
    );
    return { orderId, orderNumber, accountId, environment };
  }

  /** @param now time of the order */
  async placeOrder(environment: Environment = 'test', whiteLabel = true, now?: () => Date): Promise<OrderRef> {
    return this.placeOrderOf(await this.createQuote(environment, whiteLabel), environment, undefined, now);
  }

  async apply(ref: Pick<OrderRef, 'orderId'>, message: OrderMessage): Promise<void> {
    try {
      await sendAsStudio(this.service, ref.orderId, message);
    } catch (error) {
      if (error instanceof WorkflowUpdateFailedError) throw new Error(`the update failed: ${String(error.cause)}`, { cause: error });
      throw error;
    }
  }

  async cancel({ orderId, accountId }: OrderRef, requestId = newId('req')): Promise<void> {
    const credentialId = await this.service.deps.database.value<string>('SELECT id FROM api_keys WHERE account_id = $1 LIMIT 1', [
      accountId,
    ]);
    await sendMessage(this.service.deps, { orderId, message: clientCancel(requestId), sender: { credentialId, badgeId: null, requestId } });
  }

  /** Sends any payload like a floor system, without a response. */
  signal(ref: OrderRef, ...payload: unknown[]): Promise<void> {
    return this.handle(ref).signal('milestone', ...payload);
  }

  /** Sends like a floor system to an order whose workflow may have closed, with only the order's id. */
  async signalWithStart({ orderId }: Pick<OrderRef, 'orderId'>, payload: unknown, input: unknown = { orderId }): Promise<void> {
    await this.client.workflow.signalWithStart('order', {
      workflowId: orderWorkflowId(orderId),
      taskQueue: this.service.taskQueue,
      args: [input],
      signal: 'milestone',
      signalArgs: [payload],
    });
  }

  handle(ref: Pick<OrderRef, 'orderId'>) {
    return this.client.workflow.getHandle(orderWorkflowId(ref.orderId));
  }

  /** Waits until the server has no task for a worker of this workflow. */
  async waitUntilIdle(ref: OrderRef): Promise<void> {
    await waitFor('the workflow at rest', async () => {
      return !(await this.handle(ref).describe()).raw.pendingWorkflowTask;
    });
  }

  sql<T = any>(statement: string, parameters: unknown[] = []): Promise<T[]> {
    return this.service.deps.database.rows(statement, parameters);
  }

  async row(ref: OrderRef): Promise<any> {
    const [row] = await this.sql(
      `SELECT o.*, i.voided_at AS invoice_voided_at, i.paid_cents FROM orders o JOIN invoices i ON i.order_id = o.id WHERE o.id = $1`,
      [ref.orderId],
    );
    return row;
  }

  timeline(ref: OrderRef): Promise<TimelineLine[]> {
    return this.sql<TimelineLine>(
      `SELECT milestone_id, type, outcome, reason, content, actor FROM order_timeline WHERE order_id = $1 ORDER BY id`,
      [ref.orderId],
    );
  }

  eventTypes(ref: OrderRef): Promise<string[]> {
    return this.sql<{ type: string }>(`SELECT type FROM order_events WHERE order_id = $1 AND part = 0 ORDER BY sequence`, [
      ref.orderId,
    ]).then((events) => events.map(({ type }) => type));
  }
}

let milestoneCount = 0;
/** A milestone with a new id. */
export function aMilestone(
  type: 'production_started' | 'printed' | 'held' | 'released' | 'completed' | 'cancelled',
  overrides: Partial<OrderMessage> = {},
): OrderMessage {
  milestoneCount += 1;
  return { milestoneId: `m-${type}-${milestoneCount}`, type, ...overrides } as OrderMessage;
}

export function aParcel(parcelId: string, overrides: Partial<OrderMessage> = {}): OrderMessage {
  return {
    milestoneId: `parcel-${parcelId}`,
    type: 'parcel_added',
    parcelId,
    trackingNumber: `TRACK-${parcelId}`,
    ...overrides,
  } as OrderMessage;
}

export function aParcelVoid(parcelId: string): OrderMessage {
  return { milestoneId: `void-${parcelId}`, type: 'parcel_voided', parcelId };
}

/** The refusal's code, or `answered` without one. Throws other errors. */
export async function refusalCodeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'answered';
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
    throw error;
  }
}
