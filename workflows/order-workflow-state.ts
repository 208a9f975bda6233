import {
  allHandlersFinished,
  CancellationScope,
  condition,
  log,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Decision, OrderRefusal, StoredOrder } from '../activities/contract';
import { assertCancellable, isCancelled } from '../src/domain/cancel-rules';
import { ApiError, assertNever, type ErrorCode } from '../src/domain/errors';
import { describeIssues, toOrderMessage, readOrderMessage, type ValidMessage } from '../src/domain/order-message';
import { messageKey } from '../src/domain/message-key';
import { decide, eventStatus } from '../src/domain/order-decisions';
import { isSettled, type OrderFacts, type OrderState } from '../src/domain/order-status';
import type { OrderMessage } from '../src/domain/order-message-types';
import { applyChange, loadOrder, recordRefusal, sendConfirmation } from './activity-proxies';
import { toFailure, createFailure } from './failures';
import type { OrderInput, OrderSettings } from './messages';
import { Mutex } from './mutex';
import { describeOrder, orderSearchAttributes, describeMessage } from './visibility';
import type { DeliveryInput } from './webhook-messages';
import { WebhookRetries } from './webhook-retries';

const CANCEL_REQUEST =
  'Request Cancellation in the Temporal Web UI does not cancel an order: its workflow goes on. ' +
  'To cancel it, send the milestone cancelled (POST /orders/{id}/milestones)';

interface UpdateResult {
  orderId: string;
}

/** Names the sender after the way the message came: nobody may pass for the account, or for a token without its seal. */
function withChannel(channel: 'signal' | 'temporal', message: OrderMessage): OrderMessage {
  return { ...message, actor: message.actor === undefined ? channel : `${channel}:${message.actor}` };
}

const refusalCode = ({ type }: OrderMessage): ErrorCode =>
  type === 'changed' || type === 'artwork_replaced' ? 'ORDER_NOT_CHANGEABLE' : 'MILESTONE_REFUSED';

/** An order's state in its workflow, and the messages that change it, taken one at a time. */
export class OrderWorkflowState {
  /** Null until it has been loaded, and when there is no such order. */
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

  /** Loads the order where the input did not bring it; null when there is no such order. */
  async ensureLoaded(): Promise<OrderSettings | null> {
    if (this.state === null) await this.mutex.runExclusive(() => this.loadIfMissing());
    return this.settings;
  }

  /** Sends the customer's one confirmation when the order is old enough. An order that is cancelled before is not confirmed. */
  async confirmWhenDue(): Promise<void> {
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

  /** Also true for an order that was placed anew under this run, after a backup was restored. */
  get needsConfirmation(): boolean {
    return typeof this.state?.confirmationOwedSince === 'string' && !isCancelled(this.state.facts);
  }

  get isSettled(): boolean {
    return this.state !== null && isSettled(this.state.facts);
  }

  /** The history has grown long enough to begin a new one. */
  get shouldContinueAsNew(): boolean {
    return workflowInfo().continueAsNewSuggested;
  }

  /** Nothing that was sent is still being worked on. */
  get isIdle(): boolean {
    return allHandlersFinished() && this.mutex.isIdle;
  }

  /** The function returned is true once anything has changed since, or when this run has to end for another reason. */
  watchChanges(): () => boolean {
    const changesBefore = this.changes;
    return () => this.changes !== changesBefore || this.isMissing || this.shouldContinueAsNew;
  }

  /**
   * One milestone, parcel or payment, which the validator has judged.
   * @throws ApplicationFailure MILESTONE_REFUSED, MILESTONE_ID_REUSED, NOT_FOUND
   */
  apply(checkedMessage: ValidMessage): Promise<UpdateResult> {
    return this.execute(() =>
      this.storeMessage(withChannel('temporal', toOrderMessage(checkedMessage)), (facts, message) => this.decideMessage(facts, message)),
    );
  }

  /** The account's cancel, which is refused once the studio has shipped, printed or taken money; the studio's own is not (ruling 30). */
  cancel(requestId: string): Promise<UpdateResult> {
    const message: OrderMessage = { milestoneId: `cancel:${requestId}`, type: 'cancelled', actor: 'account' };
    return this.execute(() => this.storeMessage(message, (facts) => this.decideCancel(facts, message)));
  }

  /** What a floor system signals: applied, or recorded with the reason; never thrown away, never a failing workflow. */
  handleSignal(payload: unknown): Promise<void> {
    return this.mutex.runExclusive(async () => {
      const parsed = readOrderMessage(payload);
      if ('issues' in parsed) return this.refuse({ message: payload, reason: describeIssues(parsed.issues) });
      const { tokenId: _tokenId, requestId: _requestId, seal: _seal, ...message } = parsed.message;
      try {
        await this.storeMessage(withChannel('signal', message), (facts, incoming) => this.decideMessage(facts, incoming));
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'it could not be applied';
        await this.refuse({ message: payload, messageKey: messageKey(message), reason });
      }
    });
  }

  /** A signal of a name that nobody here knows: misspelt on the floor, it must not be lost without a trace. */
  handleUnknownSignal(name: string, payload: unknown): Promise<void> {
    const reason = `no signal is named ${name}; an order takes the signal milestone`;
    return this.mutex.runExclusive(() => this.refuse({ message: payload, reason, sentAs: name }));
  }

  /** "Request Cancellation" of the Temporal Web UI: the run goes on, and the order's people are told what the button does not do. */
  handleCancelRequest(): Promise<void> {
    return this.mutex.runExclusive(() =>
      this.refuse({ message: {}, reason: CANCEL_REQUEST, sentAs: 'cancellation_requested', attention: 'CANCELLATION_REQUESTED' }),
    );
  }

  /** Takes over what is stored, whatever it knew. */
  reload(): Promise<void> {
    return this.mutex.runExclusive(() => this.loadStored());
  }

  /** Carries the retries of a delivery from now on. */
  async startRetries(delivery: DeliveryInput): Promise<UpdateResult> {
    const settings = await this.ensureLoaded();
    if (settings === null) throw this.markMissing();
    await CancellationScope.nonCancellable(() => this.retries.takeOver(delivery, settings.webhooksTaskQueue));
    return { orderId: this.orderId };
  }

  private async refuse(refusal: Omit<OrderRefusal, 'orderId'>): Promise<void> {
    log.warn(`what was sent to ${this.orderId} is refused: ${refusal.reason.slice(0, 200)}`, { orderId: this.orderId });
    if (!this.isMissing) await recordRefusal({ orderId: this.orderId, ...refusal });
  }

  private async execute(work: () => Promise<void>): Promise<UpdateResult> {
    try {
      await this.mutex.runExclusive(work);
    } catch (error) {
      throw toFailure(error);
    }
    return { orderId: this.orderId };
  }

  private decideMessage(facts: OrderFacts, message: OrderMessage): Decision {
    if (message.type === 'corrected') return { byTimeline: true };
    const verdict = decide(facts, message);
    if ('refused' in verdict) return { refused: verdict.refused, code: refusalCode(message) };
    return { facts: verdict.facts, eventStatus: eventStatus(facts, verdict.facts) };
  }

  private decideCancel(facts: OrderFacts, message: OrderMessage): Decision {
    if (isCancelled(facts)) return { unchanged: true };
    try {
      assertCancellable(facts);
    } catch (error) {
      if (error instanceof ApiError) return { refused: error.message, code: error.code };
      throw error;
    }
    return this.decideMessage(facts, message);
  }

  /**
   * Decides on the facts and lets the database confirm it, which has the last word: it may answer with newer facts to decide on again, that
   * the message was applied before, or that there is no such order (ruling 48).
   */
  private async storeMessage(message: OrderMessage, makeDecision: (facts: OrderFacts, message: OrderMessage) => Decision): Promise<void> {
    for (;;) {
      const before = await this.loadedState();
      const decision = makeDecision(before.facts, message);
      const outcome = await applyChange.executeWithOptions({ summary: describeMessage(message) }, [
        { orderId: this.orderId, orderNumber: before.orderNumber, expectedVersion: before.version, message, decision },
      ]);
      switch (outcome.outcome) {
        case 'applied':
          this.setState({
            ...before,
            version: outcome.version,
            facts: outcome.facts ?? ('facts' in decision ? decision.facts : before.facts),
            ...(outcome.artworkDue === undefined ? {} : { artworkDue: outcome.artworkDue }),
          });
          return;
        case 'repeated':
          if (outcome.stored !== undefined) this.setState(outcome.stored);
          return;
        case 'confirmed':
          if ('refused' in decision) throw createFailure(decision.code, decision.refused);
          return;
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
    const stored = await loadOrder({ orderId: this.orderId });
    if (stored === null) this.markMissing();
    else this.setStored(stored);
  }

  /** The database has no such order, or no longer: this run ends, and whoever asked is told so. */
  private markMissing(): Error {
    if (!this.isMissing) log.warn('there is no such order in the database; its workflow ends', { orderId: this.orderId });
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

  /** An upsert costs a Temporal action, so only attributes that differ are set. */
  private updateVisibility(state: OrderState): void {
    setCurrentDetails(describeOrder(state));
    const { typedSearchAttributes } = workflowInfo();
    const changed = orderSearchAttributes(state).filter(({ key, value }) => typedSearchAttributes.get(key) !== value);
    if (changed.length > 0) upsertSearchAttributes(changed);
  }
}
