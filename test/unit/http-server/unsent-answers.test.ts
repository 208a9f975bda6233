import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { UnsentResponses } from '../../../src/http-server/unsent-responses';
import { listen } from '../../support/listen';
import { waitFor } from '../../support/wait-for';

const MIB = 1024 * 1024;
/** More than any buffer of the operating system holds. */
const LARGE_BYTES = 32 * MIB;
/** So long that no connection is cut as slow. */
const NO_TIMEOUT_MS = 600_000;

describe('responses that the client does not read', () => {
  let server: Server;
  let unsent: UnsentResponses;
  let cut: [key: string, bytes: number][];
  /** The requested paths, those in progress, and the completed ones. */
  let asked: string[];
  let serving: string[];
  let served: string[];
  let mayAnswer: Promise<unknown>;
  const sockets: Socket[] = [];
  beforeEach(() => {
    cut = [];
    asked = [];
    serving = [];
    served = [];
    mayAnswer = Promise.resolve();
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  /** Answers `/<key>/<bytes>`, with a stream if a third segment requests it. */
  async function start(bounds: { bytes: number; slowMs: number }): Promise<string> {
    unsent = new UnsentResponses(bounds, (key, bytes) => cut.push([key, bytes]));
    // oxlint-disable-next-line typescript/no-misused-promises -- a test server: what fails, fails the test
    server = createServer(async ({ url = '' }, response) => {
      const [, key = '', bytes = '', form] = url.split('/');
      asked.push(url);
      const turn = await unsent.acquireSlot(key, response, MIB);
      if (turn === null) return;
      serving.push(url);
      await mayAnswer;
      const body = form === 'stream' ? Readable.from(streamPieces(Number(bytes)), { objectMode: false }) : undefined;
      turn.end(body);
      served.push(url);
      if (body === undefined) response.end(Buffer.alloc(Number(bytes)));
      else body.pipe(response);
    });
    return `http://${await listen(server)}`;
  }

  function* streamPieces(bytes: number): Generator<Buffer> {
    for (let left = bytes; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536));
  }

  /** Sends a request and reads nothing. */
  async function openWithoutReading(base: string, path: string): Promise<Socket> {
    const { hostname, port } = new URL(base);
    const socket = connect({ port: Number(port), host: hostname }).pause();
    socket.on('error', () => undefined);
    sockets.push(socket);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: any\r\n\r\n`);
    await waitFor(`${path} being answered`, async () => served.includes(path));
    return socket;
  }
  const bytesRead = async (url: string): Promise<number> => (await (await request(url)).body.arrayBuffer()).byteLength;

  it('delay further requests of their key until they are aborted as slow; other keys do not wait', async () => {
    const base = await start({ bytes: 8 * MIB, slowMs: 300 });
    const slow = await openWithoutReading(base, `/a/${LARGE_BYTES}`);
    const closed = once(slow, 'close');
    expect(await bytesRead(`${base}/b/10`)).toBe(10);
    expect(await bytesRead(`${base}/a/10`)).toBe(10);
    expect(cut).toEqual([['a', expect.any(Number)]]);
    slow.resume();
    await closed;
  });

  it('let further requests continue as soon as they are read', async () => {
    const base = await start({ bytes: 8 * MIB, slowMs: NO_TIMEOUT_MS });
    const slow = await openWithoutReading(base, `/a/${LARGE_BYTES}`);
    const next = bytesRead(`${base}/a/10`);
    await waitFor('the waiting request', async () => asked.includes('/a/10'));
    expect(await bytesRead(`${base}/b/10`)).toBe(10);
    expect(served).toEqual([`/a/${LARGE_BYTES}`, '/b/10']);
    slow.resume();
    expect(await next).toBe(10);
    expect(cut).toEqual([]);
  });

  it('count from the start of a request, so no more are processed at once than fit', async () => {
    const base = await start({ bytes: 2 * MIB, slowMs: NO_TIMEOUT_MS });
    let answer = (): void => undefined;
    mayAnswer = new Promise<void>((resolve) => (answer = resolve));
    const paths = Array.from({ length: 10 }, (_, index) => `/a/${MIB}/${index}`);
    const all = Promise.all(paths.map((path) => bytesRead(`${base}${path}`)));
    await waitFor('all requests', async () => asked.length === paths.length);
    expect(serving).toHaveLength(2);
    answer();
    expect(await all).toEqual(paths.map(() => MIB));
    expect(cut).toEqual([]);
  });

  it('a client that disconnects while waiting is not served', async () => {
    const base = await start({ bytes: 8 * MIB, slowMs: NO_TIMEOUT_MS });
    const slow = await openWithoutReading(base, `/a/${LARGE_BYTES}`);
    const gone = new AbortController();
    const waiting = request(`${base}/a/11`, { signal: gone.signal }).catch((error: Error) => error.name);
    await waitFor('the waiting request', async () => asked.includes('/a/11'));
    gone.abort();
    expect(await waiting).toBe('AbortError');
    slow.destroy();
    expect(await bytesRead(`${base}/a/12`)).toBe(12);
    expect(served).not.toContain('/a/11');
  });

  it('a stream counts with its buffered bytes, and is not aborted for its duration', async () => {
    const base = await start({ bytes: 8 * MIB, slowMs: 0 });
    const slow = await openWithoutReading(base, `/a/${LARGE_BYTES}/stream`);
    expect(await bytesRead(`${base}/a/10`)).toBe(10);
    expect(cut).toEqual([]);
    expect(slow.closed).toBe(false);
  });
});
