import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../../domain/errors';
import { readUrl } from '../../../domain/urls';
import { isHttpsRequest, type IpRange, sourceAddress } from '../../source-address';
import { readSessionCookies } from './session-cookie';

export interface RequestContext {
  /** The source address, the key for counting failures. */
  source: string;
  /** True if the browser used https to a trusted proxy. */
  isSecure: boolean;
  /** The listener's origin from the Host header; null if the header is invalid. */
  ownOrigin: string | null;
  origin: string | undefined;
  /** The values of session cookies. More than one means that another site has planted a cookie. */
  cookies: readonly string[];
  /** True if the page sent the request without a user action, which does not extend the session. */
  isUnattended: boolean;
  userAgent: string | null;
  /** The id of the token that the page shows, from the header Service-Signed-In-As. */
  signedInAs: string | undefined;
  /** The scanned badge, from the header Studio-Badge. */
  badge: string | undefined;
}

const MAX_USER_AGENT_LENGTH = 300;

export function readRequestContext(request: IncomingMessage, trusted: IpRange[]): RequestContext {
  const { headers } = request;
  const isSecure = isHttpsRequest(request, trusted);
  return {
    source: sourceAddress(request, trusted),
    isSecure,
    ownOrigin: originOf(isSecure, headers.host ?? ''),
    origin: headers.origin,
    cookies: readSessionCookies(headers.cookie, isSecure),
    isUnattended: headers['service-unattended'] !== undefined,
    userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    signedInAs: headerText(headers['service-signed-in-as']),
    badge: headerText(headers['studio-badge']),
  };
}

const headerText = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value.join(', ') : value);

const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]+)?$/i;

/** Normalizes an origin as browsers do: lower case, without the default port. */
function originOf(isSecure: boolean, host: string): string | null {
  const text = `${isSecure ? 'https' : 'http'}://${host}`;
  return HOST.test(host) ? (readUrl(text)?.origin ?? null) : null;
}

/**
 * Refuses requests from other origins. Cookies and `SameSite` ignore ports, so a page on another port of this host could use the cookie
 * (ruling 81).
 * @param isRequired false to accept a request without Origin, which does not come from a page
 * @throws ApiError ORIGIN_REFUSED
 */
export function assertOwnOrigin(context: RequestContext, isRequired: boolean): void {
  if (isOwnOrigin(context) || (context.origin === undefined && !isRequired)) return;
  const hint =
    context.ownOrigin === null
      ? 'the Host header is not a valid host; send a valid Host header'
      : `send "Origin: ${context.ownOrigin}", the origin of this listener; a proxy in front must forward Host and X-Forwarded-Proto, and TRUSTED_PROXIES must contain it`;
  throw new ApiError(
    'ORIGIN_REFUSED',
    `${context.origin === undefined ? 'the Origin header is missing' : 'the Origin header names another origin'}: ${hint}`,
  );
}

/**
 * Refuses a request from a page that shows another token. All tabs of a browser share one cookie, so another person may have signed in
 * since the page was loaded.
 * @param token the token of the session
 * @throws ApiError SIGNED_IN_AS_ANOTHER
 */
export function assertSignedInAs({ signedInAs }: RequestContext, token: { id: string; name: string }): void {
  if (signedInAs === undefined || signedInAs === token.id) return;
  const message = `this browser is now signed in as ${token.name}, and nothing was changed; reload the page to continue`;
  throw new ApiError('SIGNED_IN_AS_ANOTHER', message, { tokenId: token.id, name: token.name });
}

export const isOwnOrigin = ({ origin, ownOrigin }: RequestContext): boolean => origin !== undefined && origin === ownOrigin;
