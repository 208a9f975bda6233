import { storedText, storeText } from '../session/stored-text';

/**
 * An action that was sent and whose answer is not known. It keeps its id until an answer is known, so the same action is never done twice.
 * After a reload of the page only id and time are left, and the API refuses another content with this id.
 */
export interface Attempt {
  id: string;
  sentAt: string;
  /** The sent request, for sending it again. Null after a reload, or after a check found that it was not done. */
  sent: {
    send: () => Promise<unknown>;
    /** The dialog's sentences and inputs at the time of sending. */
    consequences: readonly React.ReactNode[];
    inputs: React.ReactNode;
    /** The values of the inputs at the time of sending. */
    values: unknown;
  } | null;
}

const attempts = new Map<string, Attempt>();

const textKey = (action: string): string => `unanswered ${action}`;

/** @param action its kind and subject, such as `Refund credit acc_1` */
export function keepAttempt(tokenId: string, action: string, attempt: Attempt): void {
  attempts.set(`${tokenId} ${action}`, attempt);
  storeText(tokenId, textKey(action), JSON.stringify({ id: attempt.id, sentAt: attempt.sentAt }));
}

export function forgetAttempt(tokenId: string, action: string): void {
  attempts.delete(`${tokenId} ${action}`);
  storeText(tokenId, textKey(action), '');
}

export function findAttempt(tokenId: string, action: string): Attempt | null {
  const stored = storedText(tokenId, textKey(action)) ?? '';
  if (stored === '') return null; // answered, or the person has signed out
  return attempts.get(`${tokenId} ${action}`) ?? { ...(JSON.parse(stored) as Pick<Attempt, 'id' | 'sentAt'>), sent: null };
}
