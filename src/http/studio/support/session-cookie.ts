import { LIMITS } from '../../../domain/limits';

const NAME = 'studio_session';

/** What browsers send back over https alone, to this host alone, and let no other host nor page without https set (ruling 81). */
export const SECURE_NAME = `__Host-${NAME}`;

const nameOf = (isSecure: boolean): string => (isSecure ? SECURE_NAME : NAME);

/** What the Cookie header says of sessions: more than one value where somebody has planted another cookie of that name. */
export function sessionCookies(header: string | undefined, isSecure: boolean): string[] {
  const begin = `${nameOf(isSecure)}=`;
  return (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(begin))
    .map((part) => part.slice(begin.length));
}

/** The Set-Cookie header that signs a browser in: the page's scripts cannot read it, and other sites' pages cannot have it sent. */
export function signedIn(id: string, isSecure: boolean): string {
  return setCookie(id, isSecure, LIMITS.studioSessionMs / 1000);
}

/** Where a cookie of that name would be sent along with the real one; over https none can be (`__Host-`). */
const PLANTED_AT = ['/studio', '/studio/v1'];

/** Those that remove what others of this host may have planted below the cookie's own path: with it there, the sign-in would not count. */
export const planted = (isSecure: boolean): string[] => (isSecure ? [] : PLANTED_AT.map((path) => `${NAME}=; Path=${path}; Max-Age=0`));

/** The one that signs it out. */
export const signedOut = (isSecure: boolean): string => setCookie('', isSecure, 0);

function setCookie(value: string, isSecure: boolean, seconds: number): string {
  return `${nameOf(isSecure)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}
