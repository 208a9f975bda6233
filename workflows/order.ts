import {
  allHandlersFinished, condition, continueAsNew, getExternalWorkflowHandle, log, setCurrentDetails, setHandler,
  upsertSearchAttributes, workflowInfo,
} from '@temporalio/workflow';
import { assertCancellable } from '../src/domain/cancel-rules';
import { alreadyOrdered } from '../src/domain/quote-state';
import { messageContent, readOrderMessage } from '../src/domain/order-message';
import { decide, effectiveStatus, eventStatus, isSettled, type OrderMessage } from '../src/domain/order-status';
import * as activities from './activity-proxies';
import { asFailure, failure } from './failures';
import {
  applyMilestone, cancelOrder, milestone, orderFacts, quoteConsumed, quoteWorkflowId, submitOrder,
  type OrderInput, type OrderState, type SubmitOrder,
} from './messages';
import { describeOrder, statusAttribute } from './order-visibility';
import { Serialised } from './serialised';
import { DeliveryStarts } from './webhook-starts';

/** How long a run that was started for a submission waits for it. */
const SUBMISSION_MS = 600_000;

/**
 * One order from its submission until it has settled and been quiet (specification "States and transitions", rulings
 * 28–30). It decides with `src/domain`; each change is stored by one local activity in one transaction. Started for
 * `submit` it waits for its submission; for `resume` it reads its facts from the database first.
 */
export async function order(input: OrderInput): Promise<void> {
  let state: OrderState | null = input.state ?? null;
  let submissions = 0;
  let changes = 0;
  let newlyPlaced = false;
  const revision = input.revision ?? 1;
  const inTurn = new Serialised();
  const deliveries = new DeliveryStarts(input.webhooksTaskQueue);

  setHandler(orderFacts, () => state);

  setHandler(submitOrder, (submission) => inTurn.run(() => submit(submission)), {
    validator: (_submission: SubmitOrder) => {
      if (state !== null) throw asFailure(alreadyOrdered(input.orderId));
    },
  });

  const hearSignals = (): void => setHandler(milestone, (payload) => inTurn.run(() => applySignal(payload)));
  // What waits for a run's first task is handed out handler by handler: signals came before the updates there.
  if (revision >= 2) hearSignals();

  setHandler(applyMilestone, (payload) => inTurn.run(() => answer(() => apply(readable(payload)))), {
    validator: (payload) => {
      const message = readable(payload);
      if (state !== null && inTurn.isIdle) refuseEarly(state, message);
    },
  });

  setHandler(cancelOrder, ({ requestId }) =>
    inTurn.run(() => answer(() => apply({ milestoneId: `cancel:${requestId}`, type: 'cancelled', actor: 'account' }, { byAccount: true }))), {
    validator: (request: { requestId?: unknown } | null | undefined) => {
      if (typeof request?.requestId !== 'string') throw failure('VALIDATION_ERROR', 'a cancel takes { requestId }');
    },
  });

  if (revision < 2) hearSignals();

  if (state !== null) showState();
  else if (input.startedFor === 'resume') await inTurn.run(ensureLoaded);
  else await awaitSubmission();
  if (state === null) await condition(allHandlersFinished);
  if (state === null) return; // nothing was placed, or there is no such order

  if (newlyPlaced && revision < 2) await releaseHold();
  if (currentState().confirmationDue) {
    await activities.sendConfirmation({ orderId: input.orderId });
    state = { ...currentState(), confirmationDue: false };
  }

  for (;;) {
    // Every condition that comes true costs another round through the workflow: what happens to an open order is no news here.
    await condition(() => isSettled(currentState().facts) || workflowInfo().continueAsNewSuggested);
    const seen = changes;
    const news = (): boolean => changes !== seen || workflowInfo().continueAsNewSuggested;
    if (!news() && !(await condition(news, input.quietPeriodMs))) break;
    if (workflowInfo().continueAsNewSuggested) {
      await condition(() => allHandlersFinished() && deliveries.allStarted());
      await continueAsNew<typeof order>({ ...input, state: currentState() });
    }
  }
  await condition(() => allHandlersFinished() && deliveries.allStarted());

  /** Narrowing does not follow `state` into handlers; past this point it is never null again. */
  function currentState(): OrderState {
    if (state === null) throw failure('NOT_FOUND', `there is no order ${input.orderId}`);
    return state;
  }

  /** The update that a start carries is lost where API and server die together: then this run has nothing to wait for. */
  async function awaitSubmission(): Promise<void> {
    const begun = (): boolean => state !== null || submissions > 0;
    // Begun in the first workflow task, as nearly always, it leaves no timer in the history.
    if (revision >= 2 && !(await condition(begun, SUBMISSION_MS))) return;
    await condition(() => state !== null || (submissions > 0 && allHandlersFinished()));
  }

  async function submit(submission: SubmitOrder): Promise<{ orderId: string }> {
    submissions += 1;
    if (state !== null) throw asFailure(alreadyOrdered(input.orderId));
    try {
      const { deliveries: toStart, ...placed } = await activities.placeOrder({ ...submission, orderNumber: input.orderNumber });
      state = placed;
      deliveries.start(toStart);
    } catch (error) {
      throw asFailure(error);
    }
    newlyPlaced = true;
    setCurrentDetails(describeOrder(state));
    return { orderId: input.orderId };
  }

  async function ensureLoaded(): Promise<void> {
    state ??= await activities.loadOrder({ orderId: input.orderId });
    if (state !== null) showState();
  }

  async function answer(work: () => Promise<void>): Promise<{ orderId: string }> {
    try {
      await work();
    } catch (error) {
      throw asFailure(error);
    }
    return { orderId: input.orderId };
  }

  /** `byAccount`: the account's own cancel, which the facts may forbid; the studio's needs only a state that allows it. */
  async function apply(message: OrderMessage, { byAccount = false } = {}): Promise<void> {
    if (state === null) await ensureLoaded();
    for (;;) {
      const before = currentState();
      if (isRepeat(before, message)) return;
      if (byAccount) {
        if (before.facts.baseStatus === 'cancelled') return;
        assertCancellable(before.facts);
      }
      const verdict = decide(before.facts, message);
      if ('refused' in verdict) throw failure('MILESTONE_REFUSED', verdict.refused);
      const outcome = await activities.applyChange({
        orderId: input.orderId,
        expectedVersion: before.version,
        message,
        facts: verdict.facts,
        eventStatus: eventStatus(before.facts, verdict.facts),
      });
      if ('stale' in outcome) {
        state = outcome.stale;
        changes += 1;
        show(before, state);
        continue;
      }
      const applied = { ...before.applied, [message.milestoneId]: messageContent(message) };
      state = { ...before, version: outcome.version, facts: verdict.facts, applied };
      changes += 1;
      deliveries.start(outcome.deliveries);
      show(before, state);
      return;
    }
  }

  async function applySignal(payload: unknown): Promise<void> {
    try {
      const message = readable(payload);
      await apply({ ...message, actor: `signal${message.actor ? `:${message.actor}` : ''}` });
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'it could not be applied';
      log.warn('signal refused', { orderId: input.orderId, reason });
      if (state !== null) await activities.recordRefusal({ orderId: input.orderId, message: payload, reason });
    }
  }

  /** The hold's row is spent already; the signal only ends its timer. A hold that is gone needs none. */
  async function releaseHold(): Promise<void> {
    try {
      await getExternalWorkflowHandle(quoteWorkflowId(currentState().quoteId)).signal(quoteConsumed);
    } catch {
      log.info('the quote has no open hold', { orderId: input.orderId });
    }
  }

  function show(before: OrderState, after: OrderState): void {
    if (effectiveStatus(before.facts) !== effectiveStatus(after.facts)) showStatus(after);
    setCurrentDetails(describeOrder(after));
  }

  function showState(): void {
    const now = currentState();
    setCurrentDetails(describeOrder(now));
    if (input.startedFor === 'resume' && input.state === undefined) showStatus(now);
  }

  function showStatus({ facts }: OrderState): void {
    if (input.statusAttribute !== false) upsertSearchAttributes([statusAttribute(facts)]);
  }
}

/** True for a message applied before; fails where the same id carries something else. */
function isRepeat(state: OrderState, message: OrderMessage): boolean {
  const content = Object.hasOwn(state.applied, message.milestoneId) ? state.applied[message.milestoneId] : undefined;
  if (content === undefined) return false;
  if (content === messageContent(message)) return true;
  throw failure('MILESTONE_ID_REUSED', `the id ${message.milestoneId} was used for another message to this order; send a new id`);
}

/** The payload in the one shape both ways of sending it share, so that the same message is the same content. */
function readable(payload: unknown): OrderMessage {
  const read = readOrderMessage(payload);
  if ('problem' in read) throw failure('MILESTONE_REFUSED', read.problem);
  return read.message;
}

/** Refuses before anything is written to history; the handler decides again in its turn. */
function refuseEarly(state: OrderState, message: OrderMessage): void {
  if (isRepeat(state, message)) return;
  const verdict = decide(state.facts, message);
  if ('refused' in verdict) throw failure('MILESTONE_REFUSED', verdict.refused);
}
