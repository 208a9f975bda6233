import type { IncomingMessage } from 'node:http';

/** The holder of a request's valid credential. */
export type CallerIdentity = { keyId: string; accountId: string } | { tokenId: string; name: string; badgeId?: string | null };

const identities = new WeakMap<IncomingMessage, CallerIdentity>();

/** Call it once the credential is valid, even if the request is refused later. */
export function setIdentity(request: IncomingMessage, identity: CallerIdentity): void {
  identities.set(request, identity);
}

export const identityOf = (request: IncomingMessage): CallerIdentity | undefined => identities.get(request);
