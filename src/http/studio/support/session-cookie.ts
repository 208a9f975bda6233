import { LIMITS } from '../../../domain/limits';

const COOKIE_NAME = 'studio_session';

/** What browsers send back over https alone, to this host alone, and let no other host nor page without https set (ruling 81). */
export const SECURE_COOKIE_NAME = `__Host-${COOKIE_NAME}`;

const cookieName = (isSecure: boolean): string => (isSecure ? SECURE_COOKIE_NAME : COOKIE_NAME);

/** What the Cookie header says of sessions: more than one value where somebody has planted another cookie of that name. */
export function readSessionCookies(header: string | undefined, isSecure: boolean): string[] {
  const prefix = `${cookieName(isSecure)}=`;
  return (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
    .map((part) => part.slice(prefix.length));
}

/** The Set-Cookie header that signs a browser in: the page's scripts cannot read it, and other sites' pages cannot have it sent. */
export function createSessionCookie(id: string, isSecure: boolean): string {
  return formatSetCookie(id, isSecure, LIMITS.studioSessionMs / 1000);
}

/** Where a cookie of that name would be sent along with the real one; over https none can be (`__Host-`). */
const PLANTED_COOKIE_PATHS = ['/studio', '/studio/v1'];

/** Those that remove what others of this host may have planted below the cookie's own path: with it there, the sign-in would not count. */
export const clearPlantedCookies = (isSecure: boolean): string[] =>
  isSecure ? [] : PLANTED_COOKIE_PATHS.map((path) => `${COOKIE_NAME}=; Path=${path}; Max-Age=0`);

/** The one that signs it out. */
export const clearSessionCookie = (isSecure: boolean): string => formatSetCookie('', isSecure, 0);

function formatSetCookie(value: string, isSecure: boolean, seconds: number): string {
  return `${cookieName(isSecure)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}
