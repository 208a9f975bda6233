export interface Issue {
  path: string;
  message: string;
}

/** An error of the studio API with a stable `code`. `UNREACHABLE` means that there was no response. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** 0 without a response. */
    readonly status: number,
    readonly details?: Record<string, unknown>,
  ) {
    super(message);
    this.name = 'Refusal';
  }

  /** The request may have been processed: there was no response, a proxy responded, or the service gave up. OVERLOADED stores nothing. */
  get isUncertain(): boolean {
    return this.status === 0 || this.code === 'UNEXPECTED' || (this.status >= 500 && this.code !== 'OVERLOADED');
  }

  /** Says nothing about the request: neither that it was refused, nor whether an earlier one with its id was done. */
  get isAboutSender(): boolean {
    return [401, 403, 429].includes(this.status) || this.code === 'OVERLOADED';
  }

  get issues(): readonly Issue[] {
    return (this.details?.issues as Issue[] | undefined) ?? [];
  }
}

/** Whether a read found its object. @throws Refusal other than 404 */
export const isFound = (read: Promise<unknown>): Promise<boolean> =>
  read.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal && error.status === 404) return false;
      throw error;
    },
  );

interface ErrorBody {
  error?: { code: string; message: string; details?: Record<string, unknown> } | null;
}

const SESSION_ENDED = 'SESSION_ENDED';
/** Replaces the API's messages about the session, which are written for programs. */
const SESSION_WORDS: ReadonlyMap<string, string> = new Map([
  [SESSION_ENDED, 'Your sign-in ended before this was done. Sign in, then send it again.'],
  ['SIGNED_IN_AS_ANOTHER', 'Another person has signed in in this browser, so this was not done.'],
]);
/** Here UNAUTHORIZED is about the token in the form. */
const TOKEN_FORMS = /\/session(?:\/reauthenticate)?$/;

/** Whether the refusal is about the session, and not about the request. */
export const isAboutSession = (error: unknown): boolean => error instanceof Refusal && SESSION_WORDS.has(error.code);

/** The API answers UNAUTHORIZED if the browser sends no cookie any more. */
const saysSessionEnded = (code: string, { url }: Response): boolean => code === 'UNAUTHORIZED' && !TOKEN_FORMS.test(new URL(url).pathname);

/** The error of a response body. A proxy's page has none. */
export function refusalOf(body: unknown, response: Response): Refusal {
  const error = typeof body === 'object' && body !== null ? (body as ErrorBody).error : undefined;
  if (error) {
    const code = saysSessionEnded(error.code, response) ? SESSION_ENDED : error.code;
    return new Refusal(code, SESSION_WORDS.get(code) ?? error.message, response.status, error.details);
  }
  return new Refusal('UNEXPECTED', `The studio API answered with status ${response.status} and no message.`, response.status);
}

/** There was no response, so the request may have been processed. shared/action.tsx says whether repeating is safe. */
export function unreachable(): Refusal {
  return new Refusal('UNREACHABLE', 'The studio API did not answer. Check the connection and try again.', 0);
}
