import { Refusal } from '../api/refusal';
import { callApi, type Schema, showAs, studio } from '../api/studio';
export type Session = Schema<'SignedIn'>;

export const fetchSession = async (): Promise<Session> => callApi(studio.GET('/session'));

/**
 * Signs in. The page does not keep the token. Returns its id.
 * @throws Refusal, also if the browser does not return the cookie
 */
export async function signIn(token: string): Promise<string> {
  const { tokenId } = await callApi(studio.POST('/session', { body: { token } }));
  if ((await fetchTokenId()) !== tokenId)
    throw new Refusal(
      'SIGN_IN_NOT_KEPT',
      'The token is right, but the browser did not return the cookie. Allow cookies for this address, or clear the cookies of this site. Then sign in again.',
      401,
    );
  showAs(tokenId);
  return tokenId;
}

async function fetchTokenId(): Promise<string | null> {
  try {
    return (await fetchSession()).tokenId;
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return null;
    throw error;
  }
}
