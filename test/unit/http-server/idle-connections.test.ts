import { connect, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '../../../src/http-server/listen';

const IDLE_MS = 20;

describe('a connection without traffic', () => {
  let server: Awaited<ReturnType<typeof listen>>;
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

  /** All that the server sends to a client that sends only this. */
  async function answerTo(sent: string): Promise<string> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.on('error', () => undefined); // a reset is followed by `close`
    socket.write(sent);
    await new Promise((resolve) => socket.once('close', resolve));
    return answer;
  }

  it('is kept while its response is made', async () => {
    expect(await answerTo('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 .*late/s);
  });

  it('is closed if the rest of its request or response does not come', async () => {
    expect(await answerTo('POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n')).toBe('');
    expect(await answerTo('GET /started HTTP/1.1\r\n\r\n')).not.toContain('late');
  });
});
