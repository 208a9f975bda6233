import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net';
import { TradePrint, type ClientOptions } from '@trade-print/client';
import { aLine, anAddress } from '../../support/baskets';
import { listen } from '../../support/listen';
import type { TestService } from '../../support/service';

/** A client of the service with its test key. */
export const aClient = (service: TestService, options: Partial<ClientOptions> = {}): TradePrint =>
  new TradePrint({ apiKey: service.account.testKey, baseUrl: baseUrlOf(service), ...options });

export const baseUrlOf = (service: TestService): string => `http://127.0.0.1:${service.api.tradePort}/v1`;

/** A basket of one print of this artwork. */
export const aBasket = (imageUrl: string) => ({ items: [aLine(imageUrl)], shippingAddress: anAddress() });

/** The id of an orderable quote, requested with the client only. */
export async function aQuoteId(client: TradePrint): Promise<string> {
  const { url } = await client.uploads.upload(new Uint8Array(10).fill(7), { filename: 'dunes.jpg' });
  const basket = aBasket(url);
  const option = (await client.quotes.shippingOptions(basket)).find(({ requiresQuote, isCollection }) => !requiresQuote && !isCollection);
  const { quoteId } = await client.quotes.create({ ...basket, shippingMethodId: option?.id ?? '' });
  return quoteId;
}

/** The error of a rejected call. */
export async function rejectionOf(call: Promise<unknown>): Promise<any> {
  return call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: unknown) => error,
  );
}

export interface StubServer {
  url: string;
  requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string; at: number }[];
  close(): Promise<void>;
}

type StubAnswer = (response: ServerResponse, at: number) => void;

/** A server with these responses, one for each request, and the last one for all further requests. Its path is outside the contract. */
export async function startStub(...answers: StubAnswer[]): Promise<StubServer> {
  const requests: StubServer['requests'] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, url, headers, body: Buffer.concat(chunks).toString(), at: Date.now() });
      answers[Math.min(requests.length, answers.length) - 1]?.(response, requests.length);
    });
  });
  return {
    url: `http://${await listen(server)}/stub/v1`,
    requests,
    close: () => closeServer(server, () => server.closeAllConnections()),
  };
}

export const answerWith = (status: number, body: unknown, headers: Record<string, string> = {}): StubAnswer => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (response) => void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
};

export const refuseWith = (status: number, code: string, headers: Record<string, string> = {}): StubAnswer =>
  answerWith(status, { data: null, error: { code, message: `${code} it is` } }, { 'service-request-id': 'req_stub', ...headers });

export const succeedWith = (data: unknown): StubAnswer => answerWith(200, { data, error: null });

export const cutConnection: StubAnswer = (response) => void response.destroy();

export const neverAnswer: StubAnswer = () => undefined;

/** A connection that loses this many responses: the service processes the request, and the connection breaks. */
export interface LossyProxy {
  url: string;
  /** Number of responses to lose from now on. */
  responsesToDrop: number;
  droppedResponses: Buffer[];
  close(): Promise<void>;
}

export async function startLossyProxy(port: number): Promise<LossyProxy> {
  const sockets = new Set<Socket>();
  const server: TcpServer = createTcpServer((client) => {
    const service = connect(port, '127.0.0.1');
    for (const socket of [client, service]) sockets.add(socket.on('error', () => socket.destroy()));
    client.pipe(service);
    service.on('data', (bytes: Buffer) => {
      if (proxy.responsesToDrop === 0) return void client.write(bytes);
      proxy.responsesToDrop -= 1;
      proxy.droppedResponses.push(bytes);
      client.destroy();
      service.destroy();
    });
    service.on('close', () => client.destroy());
    client.on('close', () => service.destroy());
  });
  const proxy: LossyProxy = {
    url: `http://${await listen(server)}/v1`,
    responsesToDrop: 0,
    droppedResponses: [],
    close: () => closeServer(server, () => sockets.forEach((socket) => socket.destroy())),
  };
  return proxy;
}

function closeServer(server: Server | TcpServer, closeConnections: () => void): Promise<void> {
  closeConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
