import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './listen';
import { waitFor } from './wait-for';

export interface ReceivedWebhook {
  id: string;
  type: string;
  rawBody: string;
  body: any;
  headers: IncomingMessage['headers'];
  signature: string;
}

export interface WebhookReceiver {
  url: string;
  origin: string;
  received: ReceivedWebhook[];
  /** Different event ids received so far. */
  eventIds(): Set<string>;
  /** Resolves when `count` requests have arrived. */
  waitFor(count: number): Promise<ReceivedWebhook[]>;
  /** Sets the responses to the next requests. Default: 204. */
  respondWith(answer: WebhookResponder): void;
  /** Forgets the received requests, and answers 204 again. */
  forget(): void;
  close(): Promise<void>;
}

type WebhookResponder = (request: ReceivedWebhook, response: ServerResponse) => void | Promise<void>;

/** A receiver on loopback that stores its requests. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const accept: WebhookResponder = (_, response) => void response.writeHead(204).end();
  let respond = accept;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const rawBody = Buffer.concat(chunks).toString();
      const body = JSON.parse(rawBody);
      const entry = {
        id: body.id,
        type: body.type,
        rawBody,
        body,
        headers: request.headers,
        signature: String(request.headers['service-signature']),
      };
      received.push(entry);
      void Promise.resolve(respond(entry, response)).catch((error: Error) => response.destroy(error));
    });
  });
  const origin = `http://${await listen(server)}`;
  return {
    url: `${origin}/hooks`,
    origin,
    received,
    eventIds: () => new Set(received.map(({ id }) => id)),
    async waitFor(count) {
      await waitFor(`${count} webhook requests`, async () => received.length >= count);
      return received;
    },
    respondWith(next) {
      respond = next;
    },
    forget() {
      received.length = 0;
      respond = accept;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** An independent implementation of the signature check, such as a receiver in another language. */
export function isSignedBy(received: Pick<ReceivedWebhook, 'rawBody' | 'signature'>, secret: string): boolean {
  const fields = received.signature.split(',').map((part) => part.split('='));
  const timestamp = fields.find(([name]) => name === 't')?.[1];
  const mac = createHmac('sha256', secret).update(`${timestamp}.${received.rawBody}`, 'utf8').digest('hex');
  return fields.some(([name, value]) => name === 'v1' && value === mac);
}
