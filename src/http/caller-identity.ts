import type { IncomingMessage } from 'node:http';

/** Whose working credential a request came with. */
export type CallerIdentity = { keyId: string; accountId: string } | { tokenId: string; name: string };

const identities = new WeakMap<IncomingMessage, CallerIdentity>();

/** Called as soon as the credential is known to work, also where the request is refused afterwards. */
export function identify(request: IncomingMessage, identity: CallerIdentity): void {
  identities.set(request, identity);
}

export const identityOf = (request: IncomingMessage): CallerIdentity | undefined => identities.get(request);
