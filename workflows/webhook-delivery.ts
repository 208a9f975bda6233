import {
  ApplicationFailure,
  condition,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { AttemptResult, WebhookActivities } from '../activities/webhook-contract';
import { SEARCH_ATTRIBUTES } from './search-attributes';
import { superseded, type DeliveryEnd, type DeliveryInput } from './webhook-messages';
import type { DeliveryState } from '../src/domain/webhook-rules';

/** Temporal retries only errors of this service. A failure of the endpoint is an outcome. */
const RETRY_OPTIONS = { startToCloseTimeout: '60s', retry: { initialInterval: '1s', maximumInterval: '1m' } } as const;

/** If a worker is killed during an attempt, Temporal repeats the attempt after ten seconds. */
const { attemptDelivery } = proxyActivities<WebhookActivities>({ ...RETRY_OPTIONS, heartbeatTimeout: '10s' });
/** Sends two mails at most. */
const { mailEndpointFailure } = proxyActivities<WebhookActivities>({
  ...RETRY_OPTIONS,
  startToCloseTimeout: '4m',
  heartbeatTimeout: '30s',
});

/**
 * Retries one event to one endpoint by the schedule. Ends when the event is delivered or held. After the last attempt the workflow fails
 * with the endpoint's last answer. The activity skips an attempt that the delivery's row already contains (specification "Delivery
 * guarantees").
 */
export async function webhookDelivery(input: DeliveryInput): Promise<DeliveryEnd> {
  const retries = new DeliveryRetries(input);
  setHandler(superseded, (newer) => retries.supersede(newer));
  for (let attempt = input.attempt; ; attempt += 1) {
    if (!(await retries.waitUntilDue(attempt))) return 'superseded';
    const result = await retries.attempt(attempt);
    switch (result.outcome) {
      case 'retry':
        retries.scheduleNext(result);
        break;
      case 'failed':
        return retries.fail(attempt, result);
      default:
        return retries.end(result.outcome, attempt);
    }
  }
}

class DeliveryRetries {
  private isSuperseded = false;
  private dueMs: number;
  private lastAnswer: string;

  constructor(private readonly input: DeliveryInput) {
    this.dueMs = Date.parse(input.notBefore);
    this.lastAnswer = input.lastAnswer;
  }

  /** Ignores an invalid payload, because any Temporal client can send this signal and it must not fail the task. */
  supersede(newer: { chain?: unknown } | null | undefined): void {
    if (typeof newer?.chain === 'number' && newer.chain > this.input.chain) this.isSuperseded = true;
  }

  /** Returns false if a newer chain has replaced this one. */
  async waitUntilDue(attempt: number): Promise<boolean> {
    return this.waitUnlessSuperseded(this.dueMs - Date.now(), `attempt ${attempt}, after attempt ${attempt - 1}: ${this.lastAnswer}`);
  }

  /** Tries until the endpoint has capacity. Waiting for capacity does not count as an attempt. */
  async attempt(attempt: number): Promise<Exclude<AttemptResult, { outcome: 'busy' }>> {
    const { deliveryId, chain, title } = this.input;
    for (;;) {
      const result = await attemptDelivery.executeWithOptions({ summary: `${title}, attempt ${attempt}` }, [
        { deliveryId, chain, attempt },
      ]);
      if (result.outcome !== 'busy') return result;
      if (!(await this.waitUnlessSuperseded(result.delayMs, `attempt ${attempt} waits for capacity at the endpoint`)))
        return { outcome: 'superseded' };
    }
  }

  scheduleNext({ delayMs, answer }: Extract<AttemptResult, { outcome: 'retry' }>): void {
    this.dueMs = Date.now() + delayMs;
    this.lastAnswer = answer;
  }

  end(outcome: DeliveryEnd, attempt: number): DeliveryEnd {
    if (outcome !== 'superseded') this.setDeliveryState(outcome);
    setCurrentDetails(`Ended: ${outcome} with attempt ${attempt}`);
    return outcome;
  }

  /**
   * Mails about the failing endpoint if a mail is due, then fails the workflow. The Web UI shows the failed delivery and its reason.
   * @throws ApplicationFailure always
   */
  async fail(
    attempt: number,
    { alertAtFailures: failuresToReport, answer }: Extract<AttemptResult, { outcome: 'failed' }>,
  ): Promise<never> {
    const { deliveryId, title } = this.input;
    if (failuresToReport !== null) {
      await mailEndpointFailure.executeWithOptions({ summary: `mail to the studio: ${failuresToReport} deliveries in a row failed` }, [
        { deliveryId, failures: failuresToReport },
      ]);
    }
    this.setDeliveryState('failed');
    setCurrentDetails(`Failed after ${attempt} attempts; last answer: ${answer}`);
    throw ApplicationFailure.create({
      type: 'DeliveryFailed',
      message: `${title}: ${attempt} attempts; last answer: ${answer}`,
      nonRetryable: true,
    });
  }

  private async waitUnlessSuperseded(remainingMs: number, reason: string): Promise<boolean> {
    if (remainingMs > 0 && !this.isSuperseded) {
      setCurrentDetails(`${reason}, at ${new Date(Date.now() + remainingMs).toISOString()}`);
      await condition(() => this.isSuperseded, remainingMs, { summary: reason });
    }
    return !this.isSuperseded;
  }

  private setDeliveryState(state: Exclude<DeliveryState, 'pending'>): void {
    upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.deliveryState, value: state }]);
  }
}
