import { DAY_MS } from '../../../domain/duration';
import { LIMITS } from '../../../domain/limits';
import type { TokenKind } from '../../../domain/roles';

const COOKIE_NAME = 'studio_session';

/** Browsers delete cookies after 400 days. Each loaded page sends the cookie of a station again. */
const STATION_COOKIE_MS = 400 * DAY_MS;

/** Browsers send a `__Host-` cookie only over https to this host, and only this host over https can set it. */
export const SECURE_COOKIE_NAME = `__Host-${COOKIE_NAME}`;

const cookieName = (isSecure: boolean): string => (isSecure ? SECURE_COOKIE_NAME : COOKIE_NAME);

/** Returns the values of all cookies with this name. More than one means that another site has planted a cookie. */
export function readSessionCookies(header: string | undefined, isSecure: boolean): string[] {
  const prefix = `${cookieName(isSecure)}=`;
  return (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
    .map((part) => part.slice(prefix.length));
}

/** The session cookie. Scripts cannot read it, and pages of other sites cannot make the browser send it. */
export function createSessionCookie(id: string, isSecure: boolean, kind: TokenKind): string {
  return formatSetCookie(id, isSecure, (kind === 'station' ? STATION_COOKIE_MS : LIMITS.studioSessionMs) / 1000);
}

/** The paths of planted cookies that browsers would also send to this API. Over https, the prefix `__Host-` prevents such cookies. */
const PLANTED_COOKIE_PATHS = ['/studio', '/studio/v1'];

/** Removes cookies that other pages of this host planted, which would make the sign-in fail. */
export const clearPlantedCookies = (isSecure: boolean): string[] =>
  isSecure ? [] : PLANTED_COOKIE_PATHS.map((path) => `${COOKIE_NAME}=; Path=${path}; Max-Age=0`);

export const clearSessionCookie = (isSecure: boolean): string => formatSetCookie('', isSecure, 0);

function formatSetCookie(value: string, isSecure: boolean, seconds: number): string {
  return `${cookieName(isSecure)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}
