import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { webhooks, WebhookVerificationError, type WebhookEvent } from '@trade-print/client';
import { DemoError } from './http';

/** The port of the demo's webhook receiver. */
export const DEMO_RECEIVER_PORT = 9099;

const originAt = (port: number): string => `http://127.0.0.1:${port}`;

/** The demo's webhook receiver. `npm start` allows it although it is neither public nor HTTPS. */
export const DEMO_RECEIVER_ORIGIN = originAt(DEMO_RECEIVER_PORT);

/** A typical receiver of a client: it verifies webhooks, ignores repeated event ids and answers 2xx. */
export class DemoReceiver {
  private secret = '';
  private readonly receivedIds = new Set<string>();
  private readonly server = createServer((request, response) => {
    this.receive(request).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(500).end(),
    );
  });

  constructor(
    private readonly port: number,
    private readonly printLine: (line: string) => void,
  ) {}

  get origin(): string {
    return originAt(this.port);
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', () => reject(new DemoError(`port ${this.port} is in use; the demo needs it for webhooks`)));
      this.server.listen(this.port, '127.0.0.1', resolve);
    });
  }

  /** Sets the secret that the studio API returned when the endpoint was registered. */
  setSecret(secret: string): void {
    this.secret = secret;
  }

  /** Waits until `count` different events have arrived. @throws DemoError after two minutes */
  async waitFor(count: number): Promise<void> {
    const timeout = AbortSignal.timeout(120_000);
    while (this.receivedIds.size < count) {
      if (timeout.aborted) throw new DemoError(`only ${this.receivedIds.size} of ${count} events arrived within two minutes`);
      await delay(20);
    }
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async receive(request: IncomingMessage): Promise<number> {
    try {
      this.printEvent(await webhooks.verify(await buffer(request), request.headers, this.secret));
      return 204;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      this.printLine(`   ${error.message}`);
      return 400;
    }
  }

  private printEvent(event: WebhookEvent): void {
    const { orderNumber = '' } = event.data as { orderNumber?: string };
    if (!this.receivedIds.has(event.id)) this.printLine(`   webhook, verified: ${event.type.padEnd(20)} ${orderNumber} #${event.sequence}`);
    this.receivedIds.add(event.id);
  }
}
