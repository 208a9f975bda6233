import { lookup, Resolver } from 'node:dns/promises';

/** All IPv4 and IPv6 addresses of a host name. Rejects if there are none. Should stop early when the signal aborts. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>;

/** Names that never exist, so no name server is asked (RFC 6761, section 6.4). */
const RESERVED = /\.invalid\.?$/i;

/**
 * Queries DNS directly for A and AAAA records, without the hosts file and search domains. `dns.lookup` cannot be cancelled, and a slow name
 * server would block one of Node's four I/O threads.
 */
export const resolvePublic: Resolve = async (host, signal) => {
  if (RESERVED.test(host)) throw new Error('the name has no address');
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return addressesOf(await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** Rejects only if both families fail. */
function addressesOf(answers: PromiseSettledResult<string[]>[]): string[] {
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new Error('the name has no address');
  return addresses;
}

/** Uses the system's resolver with the hosts file, for allowed origins such as `localhost`. */
export const resolveLocally: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);
