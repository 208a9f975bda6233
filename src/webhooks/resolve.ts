import { lookup, Resolver } from 'node:dns/promises';

/** All addresses of a host name, IPv4 and IPv6. Rejects when there are none; should stop early when the signal fires. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>;

/**
 * Asks the DNS itself, A and AAAA: no hosts file, no search domains. Not `dns.lookup`, which holds one of four threads the
 * whole process shares for as long as a slow name server likes, and cannot be cancelled.
 */
export const resolvePublic: Resolve = async (host, signal) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return addressesOf(await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** One family may be missing; both may not. */
function addressesOf(answers: PromiseSettledResult<string[]>[]): string[] {
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new Error('the name has no address');
  return addresses;
}

/** The machine's own view, hosts file included: for allowed origins, which are `localhost` and the like. */
export const resolveLocally: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);
