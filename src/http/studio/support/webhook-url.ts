import { type ApiError, validationError } from '../../../domain/errors';
import { bareHost, checkWebhookUrl, isPublicAddress, WEBHOOK_URL_ISSUES, type WebhookUrlIssue } from '../../../security/public-address';
import { type Resolve, resolvePublic } from '../../../webhooks/resolve';

/** For A and AAAA together. */
const RESOLVE_TIMEOUT_MS = 5_000;

export interface UrlRules {
  /** Origins exempt from "public HTTPS" (setting WEBHOOK_ALLOWED_ORIGINS). */
  allowedOrigins: readonly string[];
  resolve?: Resolve;
}

/**
 * The URL to store for an endpoint. It must be public HTTPS, and every address its name resolves to now must be public, or the service
 * would be a way into its own network; each attempt judges both again (specification "Registering an endpoint", ruling 38).
 * @throws ApiError VALIDATION_ERROR at `url`, with the reason and what would work.
 */
export async function acceptWebhookUrl(text: string, { allowedOrigins, resolve = resolvePublic }: UrlRules): Promise<string> {
  const verdict = checkWebhookUrl(text, { allowedOrigins });
  if (!verdict.ok) throw urlError(describeRefusal(verdict.reason, allowedOrigins));
  if (!verdict.exempt) await assertPublicAddresses(bareHost(verdict.url), resolve);
  return verdict.url.href;
}

/** The refusal never names an address: it would tell about the network we are in. */
async function assertPublicAddresses(host: string, resolve: Resolve): Promise<void> {
  const addresses = await resolve(host, AbortSignal.timeout(RESOLVE_TIMEOUT_MS)).catch((): string[] => []);
  if (addresses.length === 0)
    throw urlError(`names ${host}, which does not resolve; publish an A or AAAA record for it, then send this again`);
  if (!addresses.every(isPublicAddress)) {
    throw urlError(
      `names ${host}, which resolves to an address that is not on the public internet; each of its A and AAAA records must be`,
    );
  }
}

/** There are none in production: who develops is told which setting lets a receiver on their own machine in. */
function describeRefusal(reason: WebhookUrlIssue, exceptions: readonly string[]): string {
  const namesExceptions = reason === 'not_https' && exceptions.length > 0;
  return WEBHOOK_URL_ISSUES[reason] + (namesExceptions ? `, nor is it excepted by WEBHOOK_ALLOWED_ORIGINS (${exceptions.join(', ')})` : '');
}

function urlError(message: string): ApiError {
  return validationError([{ path: 'url', message }]);
}
