export interface Issue {
  path: string;
  message: string;
}

/** What the studio API said instead of an answer; `code` is stable, `message` is for people. `UNREACHABLE` is our own: nobody answered. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** 0 where nobody answered. */
    readonly status: number,
    readonly details?: Record<string, unknown>,
  ) {
    super(message);
    this.name = 'Refusal';
  }

  /** Whether what was asked for may have been done all the same: nobody answered, or something between us and the API did. */
  get isUncertain(): boolean {
    return this.status === 0 || this.code === 'UNEXPECTED';
  }

  get issues(): readonly Issue[] {
    return (this.details?.issues as Issue[] | undefined) ?? [];
  }
}

interface Told {
  error?: { code: string; message: string; details?: Record<string, unknown> } | null;
}

/** The refusal that a body tells of; a proxy's page has none, and is told by its status. */
export function refusalOf(body: unknown, response: Response): Refusal {
  const told = typeof body === 'object' && body !== null ? (body as Told).error : undefined;
  if (told) return new Refusal(told.code, told.message, response.status, told.details);
  return new Refusal('UNEXPECTED', `the studio API answered with ${response.status} and no words`, response.status);
}

/** Nobody answered: whether it was done is not known. What that means for sending it again, the action says (shared/action.tsx). */
export function unreachable(): Refusal {
  return new Refusal('UNREACHABLE', 'The studio API did not answer. Check the connection, and try it again.', 0);
}
