import type { IncomingMessage } from 'node:http';
import { parseRanges, sourceAddress } from '../../../src/http/source-address';

const PROXIES = ['10.0.0.0/8', 'fd00::/8'];

/** The part of a request that the function reads. */
const from = (remoteAddress: string | undefined, forwarded?: string | string[]) =>
  ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

describe('The source of a failed authentication', () => {
  test.each<[string, string | undefined, string | undefined, string[], string]>([
    ['the socket', '192.0.2.1', undefined, [], '192.0.2.1'],
    ['the socket without trusted proxies, for any forwarded address', '192.0.2.1', '198.51.100.1', [], '192.0.2.1'],
    ['the socket if it is not a trusted proxy', '192.0.2.1', '198.51.100.1', PROXIES, '192.0.2.1'],
    ['::ffff: as IPv4', '::ffff:192.0.2.1', undefined, [], '192.0.2.1'],
    ['::ffff: in hexadecimal as IPv4', '::ffff:c000:201', undefined, [], '192.0.2.1'],
    ['IPv6 by its /64', '2001:db8:1:2:3:4:5:6', undefined, [], '2001:db8:1:2::/64'],
    ['compressed IPv6 by its /64', '2001:db8::1', undefined, [], '2001:db8:0:0::/64'],
    ['a zone id does not matter', 'fe80::1%eth0', undefined, [], 'fe80:0:0:0::/64'],
    ['behind a proxy: the forwarded address', '10.0.0.1', '198.51.100.1', PROXIES, '198.51.100.1'],
    ['behind a proxy reached over ::ffff:', '::ffff:10.0.0.1', '198.51.100.1', PROXIES, '198.51.100.1'],
    ['behind two proxies: the nearest other address', '10.0.0.1', '198.51.100.1, 10.2.2.2', PROXIES, '198.51.100.1'],
    ['behind a proxy of IPv6', 'fd00::1', '2001:db8:5:6::7', PROXIES, '2001:db8:5:6::/64'],
    ['a client cannot prepend a source', '10.0.0.1', '1.1.1.1, 198.51.100.1', PROXIES, '198.51.100.1'],
    ['a client cannot prepend a trusted source', '10.0.0.1', '10.9.9.9, 198.51.100.1', PROXIES, '198.51.100.1'],
    ['forwarded ::ffff: as IPv4', '10.0.0.1', '::ffff:198.51.100.1', PROXIES, '198.51.100.1'],
    ['an invalid forwarded address: the proxy itself', '10.0.0.1', 'unknown', PROXIES, '10.0.0.1'],
    ['invalid addresses further out do not count', '10.0.0.1', 'rubbish, 198.51.100.1', PROXIES, '198.51.100.1'],
    ['no forwarded address: the proxy itself', '10.0.0.1', undefined, PROXIES, '10.0.0.1'],
    ['an empty header: the proxy itself', '10.0.0.1', '', PROXIES, '10.0.0.1'],
    ['only proxies: the outermost', '10.0.0.1', '10.0.0.3, 10.0.0.2', PROXIES, '10.0.0.3'],
    ['a closed socket', undefined, undefined, [], 'unknown'],
  ])('%s', (_name, socket, forwarded, proxies, source) => {
    expect(sourceAddress(from(socket, forwarded), parseRanges(proxies))).toBe(source);
  });

  it('two addresses of one /64 are one source, neighbours are two', () => {
    const of = (address: string) => sourceAddress(from(address), []);
    expect(of('2001:db8::1')).toBe(of('2001:db8::ffff:ffff:ffff:ffff'));
    expect(of('2001:db8::1')).not.toBe(of('2001:db8:0:1::1'));
  });
});
