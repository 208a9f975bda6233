import { type ApiError, validationError } from '../../../domain/errors';
import { checkWebhookUrl, isPublicAddress, WEBHOOK_URL_ISSUES, type WebhookUrlIssue } from '../../../security/public-address';
import { type Resolve, resolvePublic } from '../../../webhooks/resolve';

/** Timeout of the A and AAAA queries together. */
const RESOLVE_TIMEOUT_MS = 5_000;

export interface UrlRules {
  /** Origins exempt from "public HTTPS" (setting WEBHOOK_ALLOWED_ORIGINS). */
  allowedOrigins: readonly string[];
  resolve?: Resolve;
}

/**
 * Returns the URL to store for an endpoint. It must be public HTTPS and resolve only to public addresses, so that webhooks cannot reach the
 * internal network. Each attempt checks both again (specification "Registering an endpoint").
 * @throws ApiError VALIDATION_ERROR for `url`
 */
export async function acceptWebhookUrl(text: string, { allowedOrigins, resolve = resolvePublic }: UrlRules): Promise<string> {
  const verdict = checkWebhookUrl(text, { allowedOrigins });
  if (!verdict.ok) throw urlError(describeRefusal(verdict.reason, allowedOrigins));
  if (!verdict.isAllowedOrigin) await assertPublicAddresses(verdict.url.hostname, resolve);
  return verdict.url.href;
}

/** The error contains no address, because that would reveal the internal network. */
async function assertPublicAddresses(host: string, resolve: Resolve): Promise<void> {
  const addresses = await resolve(host, AbortSignal.timeout(RESOLVE_TIMEOUT_MS)).catch((): string[] => []);
  if (addresses.length === 0)
    throw urlError(`has the host ${host}, which does not resolve; publish an A or AAAA record, then repeat the request`);
  if (!addresses.every(isPublicAddress)) {
    throw urlError(`has the host ${host}, which resolves to a private address; all its A and AAAA records must be public`);
  }
}

/** In development, where exceptions are configured, the error also names the setting that allows a local receiver. */
function describeRefusal(reason: WebhookUrlIssue, exceptions: readonly string[]): string {
  const namesExceptions = reason === 'not_https' && exceptions.length > 0;
  return WEBHOOK_URL_ISSUES[reason] + (namesExceptions ? `, or have an origin in WEBHOOK_ALLOWED_ORIGINS (${exceptions.join(', ')})` : '');
}

function urlError(message: string): ApiError {
  return validationError([{ path: 'url', message }]);
}
