const CODE = 'REAUTHENTICATION_REQUIRED';

/** Asks the person for the token, and resolves to whether the API took it. */
type Asker = () => Promise<boolean>;

let asker: Asker | undefined;
let asking: Promise<boolean> | undefined;

/** The dialog that asks; without one nobody is asked. @returns what takes it away again */
export function askBy(dialog: Asker): () => void {
  asker = dialog;
  return () => void (asker = undefined);
}

/** `fetch`, except that what the API refuses for want of a recent token is repeated once the person has entered it. */
export async function fetchReauthenticated(request: Request): Promise<Response> {
  const repeated = request.clone();
  const response = await fetch(request);
  if (response.status !== 403 || asker === undefined || !(await needsToken(response))) return response;
  asking ??= asker().finally(() => (asking = undefined));
  return (await asking) ? fetch(repeated) : NOT_ENTERED();
}

async function needsToken(response: Response): Promise<boolean> {
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as { error?: { code?: string } } | null;
  return body?.error?.code === CODE;
}

const NOT_ENTERED = (): Response =>
  Response.json(
    { data: null, error: { code: CODE, message: 'You did not enter your token, so nothing was done. Send it again to be asked again.' } },
    { status: 403 },
  );
