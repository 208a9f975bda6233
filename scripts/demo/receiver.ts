import { createServer, type IncomingMessage } from 'node:http';
import { webhooks, WebhookVerificationError, type WebhookEvent } from '@trade-print/client';
import { DemoProblem } from './http';

const PORT = 9099;

/** Where the demo receives its webhooks; `npm start` lets it register although it is neither public nor HTTPS. */
export const DEMO_RECEIVER_ORIGIN = `http://127.0.0.1:${PORT}`;

/** A receiver as a client would write it: verifies, deduplicates by event id, answers 2xx. */
export class DemoReceiver {
  private secret = '';
  private readonly seen = new Set<string>();
  private waiting: { count: number; done: () => void } | null = null;
  private readonly server = createServer((request, response) => {
    this.receive(request).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(500).end(),
    );
  });

  constructor(private readonly say: (line: string) => void) {}

  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', () => reject(new DemoProblem(`port ${PORT} is taken; the demo receives its webhooks there`)));
      this.server.listen(PORT, '127.0.0.1', resolve);
    });
  }

  /** What the studio showed once when the endpoint was registered. */
  useSecret(secret: string): void {
    this.secret = secret;
  }

  /** Resolves when so many different events have come, or after half a minute with what is missing. */
  async waitFor(count: number): Promise<void> {
    const arrived = new Promise<void>((resolve) => {
      this.waiting = { count, done: resolve };
      this.check();
    });
    const patience = AbortSignal.timeout(30_000);
    const late = new Promise<never>((_, reject) => {
      patience.addEventListener('abort', () => reject(new DemoProblem(`${this.seen.size} of ${count} events came within half a minute`)));
    });
    await Promise.race([arrived, late]);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async receive(request: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    try {
      this.take(await webhooks.verify(Buffer.concat(chunks), request.headers, this.secret));
      return 204;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      this.say(`   ${error.message}`);
      return 400;
    }
  }

  private take(event: WebhookEvent): void {
    if (!this.seen.has(event.id)) this.say(`   webhook, verified: ${event.type.padEnd(20)} ${aboutOf(event)} #${event.sequence}`);
    this.seen.add(event.id);
    this.check();
  }

  private check(): void {
    if (this.waiting !== null && this.seen.size >= this.waiting.count) this.waiting.done();
  }
}

/** What it tells of, for a line of the demo. */
function aboutOf(event: WebhookEvent): string {
  switch (event.type) {
    case 'ping':
      return event.data.endpointId;
    case 'order.received':
    case 'order.in_production':
    case 'order.on_hold':
    case 'order.shipped':
    case 'order.completed':
    case 'order.cancelled':
      return event.data.orderNumber;
    default: // types may be added
      return '';
  }
}
