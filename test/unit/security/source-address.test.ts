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
    ['a forwarded address with its port', '10.0.0.1', '203.0.113.7:51234', PROXIES, '203.0.113.7'],
    ['forwarded IPv6 in brackets with its port', '10.0.0.1', '[2001:db8:5:6::1]:443', PROXIES, '2001:db8:5:6::/64'],
    ['forwarded IPv6 in brackets', '10.0.0.1', '[2001:db8:5:6::1]', PROXIES, '2001:db8:5:6::/64'],
    ['a forwarded address in quotes', '10.0.0.1', '"[2001:db8:5:6::1]:443"', PROXIES, '2001:db8:5:6::/64'],
    ['forwarded ::ffff: with a port as IPv4', '10.0.0.1', '[::ffff:198.51.100.1]:9', PROXIES, '198.51.100.1'],
    ['forwarded IPv6 with a zone id and a port', '10.0.0.1', '[fe80::1%eth0]:443', PROXIES, 'fe80:0:0:0::/64'],
    ['a proxy that is forwarded with its port', '10.0.0.1', '198.51.100.1:1, 10.2.2.2:8080', PROXIES, '198.51.100.1'],
    ['a client cannot prepend a source with a port', '10.0.0.1', '1.1.1.1:1, 198.51.100.1:2', PROXIES, '198.51.100.1'],
    ['a port alone: the proxy itself', '10.0.0.1', ':443', PROXIES, '10.0.0.1'],
    ['empty brackets: the proxy itself', '10.0.0.1', '[]:443', PROXIES, '10.0.0.1'],
    ['a number that is no address: the proxy itself', '10.0.0.1', '7:443', PROXIES, '10.0.0.1'],
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
