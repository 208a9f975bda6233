import {
  allHandlersFinished,
  CancellationScope,
  condition,
  log,
  setCurrentDetails,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { OrderRefusal, StoredOrder } from '../activities/contract';
import { isCancelled } from '../src/domain/cancel-rules';
import { assertNever } from '../src/domain/errors';
import { decideChange, hasEffect, kindOf, messageKey, refusalCode, type SentMessage } from '../src/domain/order-messages';
import { describeIssues, readSignal } from '../src/domain/order-messages/read';
import { isSettled, type OrderState } from '../src/domain/order-status';
import { applyChange, loadMessage, loadOrder, recordRefusal, sendConfirmation } from './activity-proxies';
import { toFailure, createFailure } from './failures';
import type { ApplyResult, MessageReference, OrderInput, OrderSettings } from './messages';
import { Mutex } from './mutex';
import { describeOrder, orderMemo, orderSearchAttributes } from './visibility';
import type { DeliveryInput } from './webhook-messages';
import { WebhookRetries } from './webhook-retries';

const CANCEL_REQUEST =
  'A cancellation request in the Temporal Web UI does not cancel an order: its workflow continues. ' +
  'To cancel the order, choose "Cancel order" on its page in the console';

/** The state of one order in its workflow. Applies messages one at a time. */
export class OrderWorkflowState {
  /** Null before it is loaded, and if the order does not exist. */
  state: OrderState | null = null;
  isMissing = false;
  private settings: OrderSettings | null = null;
  private readonly orderId: string;
  private changes = 0;
  private readonly mutex = new Mutex();
  private readonly retries = new WebhookRetries();

  constructor({ orderId, state, settings }: OrderInput) {
    this.orderId = orderId;
    if (state && settings) this.setStored({ state, settings });
  }

  /** Loads the order if the input did not contain it. Null if the order does not exist. */
  async ensureLoaded(): Promise<OrderSettings | null> {
    if (this.state === null) await this.mutex.runExclusive(() => this.loadIfMissing());
    return this.settings;
  }

  /** Sends the customer's confirmation when the order has the required age. A cancelled order is not confirmed. */
  async sendConfirmationWhenDue(): Promise<void> {
    while (this.needsConfirmation && !this.shouldContinueAsNew) {
      const dueMs = Date.parse(this.state?.confirmationOwedSince ?? '') + (this.settings?.confirmationDelayMs ?? 0);
      const waitMs = dueMs - Date.now();
      if (waitMs > 0) {
        await condition(() => !this.needsConfirmation || this.shouldContinueAsNew, waitMs, {
          summary: 'until the order is confirmed to the customer',
        });
      } else {
        await sendConfirmation({ orderId: this.orderId });
        if (this.state !== null) this.state = { ...this.state, confirmationOwedSince: null };
      }
    }
  }

  /** Also true for an order that was placed again during this run, after a backup was restored. */
  get needsConfirmation(): boolean {
    return typeof this.state?.confirmationOwedSince === 'string' && !isCancelled(this.state.facts);
  }

  get isSettled(): boolean {
    return this.state !== null && isSettled(this.state.facts);
  }

  /** True if the history is long enough to start a new run. */
  get shouldContinueAsNew(): boolean {
    return workflowInfo().continueAsNewSuggested;
  }

  /** True if every received message has been processed. */
  get isIdle(): boolean {
    return allHandlersFinished() && this.mutex.isIdle;
  }

  /** Returns a function that returns true after a change, or when this run must end for another reason. */
  watchChanges(): () => boolean {
    const changesBefore = this.changes;
    return () => this.changes !== changesBefore || this.isMissing || this.shouldContinueAsNew;
  }

  /**
   * Applies a message that an API has stored.
   * @throws ApplicationFailure with the code of the refusal; NOT_FOUND for an unknown order, SERVICE_UNAVAILABLE for a message without a row
   */
  async apply({ messageId, traceparent }: MessageReference): Promise<ApplyResult> {
    const trace = traceparent === undefined ? {} : { traceparent };
    const changed = await this.execute(async () => {
      const sent = await loadMessage({ orderId: this.orderId, messageId, ...trace });
      if ('stored' in sent) {
        this.setLoaded(sent.stored);
        throw createFailure('SERVICE_UNAVAILABLE', `the request of ${messageId} no longer waits; send it again`);
      }
      return this.storeMessage({ ...sent, ...trace });
    });
    return { orderId: this.orderId, changed };
  }

  /** Applies a floor system's signal, or records it with the reason. A signal is never lost and never fails the workflow. */
  handleSignal(payload: unknown): Promise<void> {
    return this.mutex.runExclusive(async () => {
      const parsed = readSignal(payload);
      if ('issues' in parsed) return this.refuse({ message: payload, reason: describeIssues(parsed.issues) });
      const { message } = parsed;
      try {
        await this.storeMessage({ message, sender: null });
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'the signal could not be applied';
        await this.refuse({ message: payload, messageKey: messageKey(message), reason });
      }
    });
  }

  /** Records a signal with an unknown name, because a misspelled signal must not be lost. */
  handleUnknownSignal(name: string, payload: unknown): Promise<void> {
    const reason = `no signal is named ${name}; an order takes the signal milestone`;
    return this.mutex.runExclusive(() => this.refuse({ message: payload, reason, sentAs: name }));
  }

  /** "Request Cancellation" of the Temporal Web UI: the run continues, and the order gets attention with an explanation. */
  handleCancelRequest(): Promise<void> {
    return this.mutex.runExclusive(() =>
      this.refuse({ message: {}, reason: CANCEL_REQUEST, sentAs: 'cancellation_requested', attention: 'CANCELLATION_REQUESTED' }),
    );
  }

  /** Replaces the state with the stored one. */
  reload(): Promise<void> {
    return this.mutex.runExclusive(() => this.loadStored());
  }

  /** Starts the retries of a delivery. */
  async startRetries(delivery: DeliveryInput): Promise<{ orderId: string }> {
    const settings = await this.ensureLoaded();
    if (settings === null) throw this.markMissing();
    await CancellationScope.nonCancellable(() => this.retries.takeOver(delivery, settings.webhooksTaskQueue));
    return { orderId: this.orderId };
  }

  private async refuse(refusal: Omit<OrderRefusal, 'orderId'>): Promise<void> {
    log.warn(`a message to ${this.orderId} was refused: ${refusal.reason.slice(0, 200)}`, { orderId: this.orderId });
    if (!this.isMissing) await recordRefusal({ orderId: this.orderId, ...refusal });
  }

  private async execute<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.mutex.runExclusive(work);
    } catch (error) {
      throw toFailure(error);
    }
  }

  /**
   * Decides on the current facts, and has the database confirm the decision. If the database has newer facts, decides again. The database
   * may also answer that the message was already applied or that the order does not exist.
   * @returns whether the order changed
   */
  private async storeMessage(sent: SentMessage & Pick<MessageReference, 'traceparent'>): Promise<boolean> {
    const { message } = sent;
    for (;;) {
      const before = await this.loadedState();
      const decision = decideChange(before.facts, message);
      const outcome = await applyChange.executeWithOptions({ summary: kindOf(message).describe(message) }, [
        {
          orderId: this.orderId,
          accountId: before.accountId,
          orderNumber: before.orderNumber,
          expectedVersion: before.version,
          ...sent,
          decision,
        },
      ]);
      switch (outcome.outcome) {
        case 'applied': {
          const facts = outcome.facts ?? ('facts' in decision ? decision.facts : before.facts);
          this.setState({
            ...before,
            version: outcome.version,
            facts,
            ...(outcome.artworkDue === undefined ? {} : { artworkDue: outcome.artworkDue }),
          });
          return hasEffect(message.type, before.facts, facts);
        }
        case 'repeated':
          if (outcome.stored !== undefined) this.setState(outcome.stored);
          return false;
        case 'confirmed':
          if ('refused' in decision) throw createFailure(decision.code, decision.refused);
          return false;
        case 'reused':
          throw createFailure(
            'MILESTONE_ID_REUSED',
            `the id ${messageKey(message)} was used for another message to this order; send a new id`,
          );
        case 'refused':
          throw createFailure(outcome.code ?? refusalCode(message), outcome.reason, outcome.details);
        case 'stale':
          this.setState(outcome.stored);
          break;
        case 'gone':
          throw this.markMissing();
        default:
          assertNever(outcome);
      }
    }
  }

  private async loadedState(): Promise<OrderState> {
    if (this.state === null && !this.isMissing) await this.loadIfMissing();
    if (this.state === null) throw this.markMissing();
    return this.state;
  }

  private async loadIfMissing(): Promise<void> {
    if (this.state === null && !this.isMissing) await this.loadStored();
  }

  private async loadStored(): Promise<void> {
    this.setLoaded(await loadOrder({ orderId: this.orderId }));
  }

  private setLoaded(stored: StoredOrder | null): void {
    if (stored === null) this.markMissing();
    else this.setStored(stored);
  }

  /** Ends this run, because the order does not exist in the database. Returns the failure for the caller. */
  private markMissing(): Error {
    if (!this.isMissing) log.warn('the order does not exist in the database; its workflow ends', { orderId: this.orderId });
    this.isMissing = true;
    this.state = null;
    this.settings = null;
    return createFailure('NOT_FOUND', `there is no order ${this.orderId}`);
  }

  private setStored({ state, settings }: StoredOrder): void {
    this.settings = settings;
    this.setState(state);
  }

  private setState(after: OrderState): void {
    this.state = after;
    this.changes += 1;
    this.updateVisibility(after);
  }

  /** Sets only changed values, because an upsert costs a Temporal action. */
  private updateVisibility(state: OrderState): void {
    setCurrentDetails(describeOrder(state));
    const { typedSearchAttributes, memo } = workflowInfo();
    const changedMemo = orderMemo(state);
    if (memo?.state !== changedMemo.state) upsertMemo(changedMemo);
    const changed = orderSearchAttributes(state).filter(({ key, value }) => typedSearchAttributes.get(key) !== value);
    if (changed.length > 0) upsertSearchAttributes(changed);
  }
}
