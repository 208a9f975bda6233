import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { closeServer, listen } from '../../../src/http-server/listen';
import { waitFor } from '../../support/wait-for';

describe('a listener that closes', () => {
  let server: Server;
  const clients: Socket[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    if (server.listening) await closeServer(server);
  });

  /** The server, and the response to its first request. */
  async function startServer(): Promise<{ asked: Promise<ServerResponse> }> {
    let resolveResponse: RequestListener = () => undefined;
    const asked = new Promise<ServerResponse>((resolve) => (resolveResponse = (_request, response) => resolve(response)));
    server = await listen((request, response) => resolveResponse(request, response), 0, '127.0.0.1');
    return { asked };
  }

  async function aClient(text = ''): Promise<Socket> {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    clients.push(client);
    client.on('error', () => undefined);
    await once(client, 'connect');
    client.write(text);
    return client;
  }

  const REQUEST = 'GET / HTTP/1.1\r\nHost: any\r\n\r\n';

  /** All bytes that arrive until the connection is closed. */
  async function countReceivedBytes(client: Socket): Promise<number> {
    let received = 0;
    client.on('data', (chunk: Buffer) => (received += chunk.length));
    client.resume();
    await once(client, 'close');
    return received;
  }

  it('sends a started response completely', async () => {
    const length = 16 * 1024 * 1024;
    const { asked } = await startServer();
    const client = await aClient(REQUEST);
    client.pause();
    (await asked).end(Buffer.alloc(length));
    const closed = closeServer(server);
    expect(await countReceivedBytes(client)).toBeGreaterThan(length);
    await closed;
  });

  it('waits for requests, and not for idle connections', async () => {
    const { asked } = await startServer();
    const [silent, halfway, client] = [await aClient(), await aClient('GET / HTTP/1.1\r\nHost'), await aClient(REQUEST)];
    const response = await asked;
    const closed = closeServer(server);
    await Promise.all([countReceivedBytes(silent), countReceivedBytes(halfway)]);
    response.end('whole');
    expect(await countReceivedBytes(client)).toBeGreaterThan('whole'.length);
    await closed;
  });

  it('answers a request in transit', async () => {
    const { asked } = await startServer();
    const client = await aClient(REQUEST.slice(0, 10));
    const closed = closeServer(server);
    client.write(REQUEST.slice(10));
    (await asked).end('whole');
    expect(await countReceivedBytes(client)).toBeGreaterThan('whole'.length);
    await closed;
  });

  it('ends the response of a closed connection, and processes none of its further requests', async () => {
    const answers: ServerResponse[] = [];
    server = await listen((_request, response) => answers.push(response), 0, '127.0.0.1');
    const client = await aClient(REQUEST.repeat(20));
    await waitFor('the first request', async () => answers.length === 1);
    const closed = once(answers[0] as ServerResponse, 'close');
    client.destroy();
    await closed;
    // Later requests work as usual, and none of the nineteen arrived before.
    await aClient(REQUEST);
    await waitFor('the response on another connection', async () => answers.length === 2);
    expect(answers.map(({ closed: isClosed }) => isClosed)).toEqual([true, false]);
  });
});
