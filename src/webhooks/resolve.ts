import { lookup, Resolver } from 'node:dns/promises';

/**
 * The IPv4 and IPv6 addresses of a host name, without those that come late. Rejects if there are none. Should stop early when the signal
 * aborts.
 */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>;

/** Names that never exist, so no name server is asked (RFC 6761, section 6.4). */
const RESERVED = /\.invalid\.?$/i;

/**
 * Queries DNS directly for A and AAAA records, without the hosts file and search domains. `dns.lookup` cannot be cancelled, and a slow name
 * server would block one of Node's four I/O threads.
 */
export const resolvePublic: Resolve = async (host, signal) => {
  if (RESERVED.test(host)) throw new Error('the name has no address');
  return queryAddresses(new Resolver({ timeout: 2_000, tries: 2 }), host, signal);
};

/** Some name servers never answer AAAA queries (RFC 4074, section 4.1). After the A records, the AAAA query has this long. */
const AAAA_MS = 500;

/** The A and AAAA records of a host name. Rejects if there are none. */
export async function queryAddresses(resolver: Resolver, host: string, signal: AbortSignal): Promise<string[]> {
  const cancel = (): void => resolver.cancel();
  let rest: NodeJS.Timeout | undefined;
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [a, aaaa] = [resolver.resolve4(host), resolver.resolve6(host)];
    a.then(
      () => (rest = setTimeout(cancel, AAAA_MS)),
      () => undefined,
    );
    return addressesOf(await Promise.allSettled([a, aaaa]));
  } finally {
    clearTimeout(rest);
    signal.removeEventListener('abort', cancel);
  }
}

/** Rejects only if both families fail. */
function addressesOf(answers: PromiseSettledResult<string[]>[]): string[] {
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new Error('the name has no address');
  return addresses;
}

/** Uses the system's resolver with the hosts file, for allowed origins such as `localhost`. */
export const resolveLocally: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);
