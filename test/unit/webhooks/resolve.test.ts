import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { queryAddresses } from '../../../src/webhooks/resolve';

const TYPE_A = 1;

/** The response to a query for A records; null for other queries (RFC 1035, section 4). */
function answerA(query: Buffer): Buffer | null {
  let end = 12;
  while (query[end] !== 0) end += 1 + (query[end] ?? 0);
  if (query.readUInt16BE(end + 1) !== TYPE_A) return null;
  const flagsAndCounts = Buffer.from([0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
  const record = Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1]);
  return Buffer.concat([query.subarray(0, 2), flagsAndCounts, query.subarray(12, end + 5), record]);
}

describe('the addresses of a webhook receiver', () => {
  let server: Socket;
  beforeEach(async () => {
    server = createSocket('udp4').bind(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => server.close());
  /** Waits for days, so a test that needs the end of a query does not end. */
  const aResolver = (): Resolver => {
    const resolver = new Resolver({ timeout: 2 ** 31 - 1, tries: 1 });
    resolver.setServers([`127.0.0.1:${(server.address() as AddressInfo).port}`]);
    return resolver;
  };

  it('are found if the name server never answers for IPv6', async () => {
    server.on('message', (query, { port, address }) => {
      const answer = answerA(query);
      if (answer !== null) server.send(answer, port, address);
    });
    expect(await queryAddresses(aResolver(), 'receiver.example', new AbortController().signal)).toEqual(['192.0.2.1']);
  });

  it('are not found as soon as the signal aborts', async () => {
    const abort = new AbortController();
    server.once('message', () => abort.abort());
    await expect(queryAddresses(aResolver(), 'receiver.example', abort.signal)).rejects.toThrow('the name has no address');
  });
});
