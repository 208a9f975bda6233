import { learnTime } from '../shared/service-clock';

const CODE = 'REAUTHENTICATION_REQUIRED';

/** Asks the person for the token. Resolves to true if the API accepted it. */
type TokenPrompt = () => Promise<boolean>;

let prompt: TokenPrompt | undefined;
let openPrompt: Promise<boolean> | undefined;

/** A dialog stays open while its request is pending, so every request ends. */
const PATIENCE_MS = 60_000;

async function send(request: Request): Promise<Response> {
  const sentAtMs = Date.now();
  const response = await fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(PATIENCE_MS)]) });
  learnTime(response.headers.get('date'), sentAtMs);
  return response;
}

/** Without a prompt the API's error is shown. @returns removes the prompt */
export function setTokenPrompt(dialog: TokenPrompt): () => void {
  prompt = dialog;
  return () => void (prompt = undefined);
}

/** `fetch` that asks for the token and repeats the request if the API answers REAUTHENTICATION_REQUIRED. */
export async function fetchReauthenticated(request: Request): Promise<Response> {
  const repeated = request.clone();
  const response = await send(request);
  if (response.status !== 403 || prompt === undefined || !(await needsToken(response))) return response;
  openPrompt ??= prompt().finally(() => (openPrompt = undefined));
  return (await openPrompt) ? send(repeated) : cancelled();
}

async function needsToken(response: Response): Promise<boolean> {
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as { error?: { code?: string } } | null;
  return body?.error?.code === CODE;
}

const cancelled = (): Response =>
  Response.json(
    { data: null, error: { code: CODE, message: 'You did not enter your token, so nothing was done. Send it again to enter your token.' } },
    { status: 403 },
  );
