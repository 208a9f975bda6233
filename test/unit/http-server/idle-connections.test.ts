import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '../../../src/http-server/listen';
import { answerTo } from '../../support/raw-answer';
import { waitFor } from '../../support/wait-for';

const IDLE_MS = 20;
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

describe('a connection without traffic', () => {
  let server: Server;
  beforeAll(async () => {
    server = await listen(
      async (request, response) => {
        request.socket.setTimeout(IDLE_MS); // from here on, because a slow machine may need longer to send the request
        if (request.url === '/started') response.writeHead(200).flushHeaders();
        await delay(10 * IDLE_MS);
        response.end('late');
      },
      0,
      '127.0.0.1',
    );
  });
  afterAll(() => server.close());

  it('is kept while its response is made', async () => {
    expect(await answerTo(portOf(server), 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 .*late/s);
  });

  it('is closed if the rest of its request or response does not come', async () => {
    expect(await answerTo(portOf(server), 'POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n')).toBe('');
    expect(await answerTo(portOf(server), 'GET /started HTTP/1.1\r\n\r\n')).not.toContain('late');
  });
});

/** Gives a request this long for its headers, runs `work` and closes the server. */
async function withServer(listener: RequestListener, headersMs: number, work: (server: Server) => Promise<void>): Promise<void> {
  const timeouts = { headersMs, requestMs: 2 * headersMs, idleMs: 60_000, checkIntervalMs: 20 };
  const server = await listen(listener, 0, '127.0.0.1', timeouts);
  try {
    await work(server);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

it('a connection without a request is closed unanswered after some time, and one with a part of a request is answered', () =>
  withServer(
    () => undefined,
    20,
    async (server) => {
      expect(await answerTo(portOf(server), '')).toBe('');
      // On a slow machine, the part can arrive too late.
      const answer = await waitFor('an answer', async () => (await answerTo(portOf(server), 'GET / HTTP/1.1\r\nHost:')) || null);
      expect(answer).toMatch(/^HTTP\/1\.1 (?:400|500) .*(?:in time|paused)/s); // 500 after a pause of the machine
    },
  ));

it('a request that arrived while the service paused, on a connection without an earlier one, is answered', () =>
  withServer(
    (_, response) => void response.end('here'),
    1_000,
    async (server) => {
      // A slow machine may close the connection before the pause.
      const answer = await waitFor('an answer', async () => {
        const accepted = once(server, 'connection');
        const client = connect(portOf(server), '127.0.0.1').on('error', () => undefined);
        await accepted;
        client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
        for (const pausedMs = performance.now(); performance.now() < pausedMs + 1_100;);
        return (await text(client).catch(() => '')) || null;
      });
      expect(answer).toMatch(/^HTTP\/1\.1 200 .*here$/s);
    },
  ));

it('a request whose response was sent before its body came gets no second one when its time is over', () =>
  withServer(
    (_, response) => void response.end('early'),
    20,
    async (server) => {
      // On a slow machine, it can arrive too late.
      const answer = await waitFor('the response', async () => {
        const answered = await answerTo(portOf(server), 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n1');
        return answered.includes('early') && answered;
      });
      expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    },
  ));
