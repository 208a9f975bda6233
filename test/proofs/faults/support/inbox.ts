import { webhooks } from '@trade-print/client';
import { startReceiver, type WebhookReceiver } from '../../../support/webhook-receiver';
import type { Random } from '../../../support/random';

interface ReceivedEvent {
  accountId: string;
  bodies: Set<string>;
  times: number;
  accepted: boolean;
}

/** A receiver that follows the documentation: it verifies and stores every event, and sometimes fails. */
export class WebhookInbox {
  readonly events = new Map<string, ReceivedEvent>();
  readonly problems: string[] = [];
  /** When each request arrived. */
  readonly arrivals: number[] = [];
  private readonly secrets = new Map<string, string>();

  private constructor(private readonly receivers: readonly WebhookReceiver[]) {}

  static async open(count: number, random: Random): Promise<WebhookInbox> {
    const inbox = new WebhookInbox(await Promise.all(Array.from({ length: count }, () => startReceiver())));
    for (const receiver of inbox.receivers) {
      receiver.respondWith(async ({ id, rawBody, headers }, response) => {
        inbox.arrivals.push(Date.now());
        const accountId = [...inbox.secrets.keys()][inbox.receivers.indexOf(receiver)] ?? '';
        const verdict = await webhooks.check(rawBody, headers, inbox.secrets.get(accountId) ?? 'none');
        const accepts = verdict.ok && !random.chance(0.05);
        if (verdict.ok) inbox.recordEvent(id, accountId, rawBody, accepts);
        else inbox.problems.push(`${id}: came with a signature that is refused: ${verdict.reason}`);
        response.writeHead(accepts ? 204 : 500).end();
      });
    }
    return inbox;
  }

  get origins(): string[] {
    return this.receivers.map(({ origin }) => origin);
  }

  get requests(): number {
    return this.arrivals.length;
  }

  /** The endpoint's URL of the next account. */
  urlOf(index: number): string {
    return this.receivers[index]?.url ?? '';
  }

  /** Accounts in the order of their receivers. */
  registerAccount(accountId: string, secret: string): void {
    this.secrets.set(accountId, secret);
  }

  async close(): Promise<void> {
    await Promise.all(this.receivers.map((receiver) => receiver.close()));
  }

  private recordEvent(id: string, accountId: string, rawBody: string, accepts: boolean): void {
    const event = this.events.get(id) ?? { accountId, bodies: new Set(), times: 0, accepted: false };
    event.bodies.add(rawBody);
    event.times += 1;
    event.accepted ||= accepts;
    this.events.set(id, event);
  }
}
