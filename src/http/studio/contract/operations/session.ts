import { string } from '../../../contract/json';
import type { OperationContract } from '../../../contract/operation';
import { SIGNED_IN_EXAMPLE } from '../examples';
import { SIGNED_IN, SIGNED_OUT } from '../resources';

const cookie = (description: string) => ({ 'Set-Cookie': string(description) });

/** What the contract says of a browser's session (studio API "Signing in"). */
export const SESSION_OPERATIONS = {
  begin: {
    id: 'signIn',
    tag: 'Access',
    summary: 'Sign a browser in',
    description:
      'The token is sent once; from then on the cookie is the credential, for twelve hours at most and as long as the browser is used: thirty minutes without a ' +
      'request end it. The token keeps its say: its role, its end and its revocation count at every request. A page of another origin is refused.',
    answer: SIGNED_IN,
    answerHeaders: cookie('the session: `HttpOnly`, `SameSite=Strict`, over https also `Secure` and named `__Host-…`'),
    refuses: ['UNAUTHORIZED'],
    example: { request: { token: `lps_${'0'.repeat(64)}` }, answer: SIGNED_IN_EXAMPLE },
  },
  read: {
    id: 'readSession',
    tag: 'Access',
    summary: 'Who is signed in',
    description: 'By cookie, or by token. Asking keeps no session awake.',
    answer: SIGNED_IN,
    example: { answer: SIGNED_IN_EXAMPLE },
  },
  end: {
    id: 'signOut',
    tag: 'Access',
    summary: 'Sign a browser out',
    description: 'Ends the session of the cookie and removes the cookie, also where the session is over already.',
    answer: SIGNED_OUT,
    answerHeaders: cookie('removes the cookie'),
    example: { answer: { signedIn: false } },
  },
} satisfies Record<string, OperationContract>;
