import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../../domain/errors';
import { readUrl } from '../../../domain/urls';
import { isHttpsRequest, type IpRange, sourceAddress } from '../../source-address';
import { readSessionCookies } from './session-cookie';

/** How a request reached the studio's listener. */
export interface RequestContext {
  /** By which failures are counted. */
  source: string;
  /** The browser spoke https, to a trusted proxy. */
  isSecure: boolean;
  /** The listener's origin as the browser has it; null where the Host header names none. */
  ownOrigin: string | null;
  /** The Origin header. */
  origin: string | undefined;
  /** Values of session cookies: of more than one all but one were planted. */
  cookies: readonly string[];
  /** A page sent it by itself: it keeps no session awake (ruling 81). */
  isUnattended: boolean;
  /** What the browser says of itself, null where it says nothing. */
  userAgent: string | null;
  /** The token of the person whom the page shows, where it says so. */
  signedInAs: string | undefined;
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
  };
}

/** Node joins those of several headers of a name that it does not know. */
const headerText = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value.join(', ') : value);

const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]+)?$/i;

/** As browsers write it: in small letters, without the scheme's own port. */
function originOf(isSecure: boolean, host: string): string | null {
  const text = `${isSecure ? 'https' : 'http'}://${host}`;
  return HOST.test(host) ? (readUrl(text)?.origin ?? null) : null;
}

/**
 * Cookies know no ports and `SameSite` no origins: a page of this host on another port could write with the cookie (ruling 81).
 * @param isRequired false: a request without Origin comes from no page, and will do
 * @throws ApiError ORIGIN_REFUSED
 */
export function assertOwnOrigin(context: RequestContext, isRequired: boolean): void {
  if (isOwnOrigin(context) || (context.origin === undefined && !isRequired)) return;
  const hint =
    context.ownOrigin === null
      ? 'the Host header names no host, so no Origin will do'
      : `it needs "Origin: ${context.ownOrigin}", which is this listener as the request came; a proxy before it has to pass Host and X-Forwarded-Proto on, and stand in TRUSTED_PROXIES`;
  throw new ApiError(
    'ORIGIN_REFUSED',
    `${context.origin === undefined ? 'the Origin header is missing' : 'another origin sent this'}: ${hint}`,
  );
}

/**
 * A browser has one cookie for all its tabs: in one that shows somebody, another may have signed in since. What is sent there is nobody's
 * deed (ruling 81).
 * @param token whose session came
 * @throws ApiError SIGNED_IN_AS_ANOTHER
 */
export function assertSignedInAs({ signedInAs }: RequestContext, token: { id: string; name: string }): void {
  if (signedInAs === undefined || signedInAs === token.id) return;
  const message = `this browser is signed in as somebody else now (${token.name}), and nothing was done: load the page anew to go on`;
  throw new ApiError('SIGNED_IN_AS_ANOTHER', message, { tokenId: token.id, name: token.name });
}

export const isOwnOrigin = ({ origin, ownOrigin }: RequestContext): boolean => origin !== undefined && origin === ownOrigin;
