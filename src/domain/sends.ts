/** Mails with a document, from the office to an account (ruling 87). */
export const SENT_DOCUMENTS = ['invoice', 'credit_note', 'statement', 'reminder'] as const;
export type SentDocument = (typeof SENT_DOCUMENTS)[number];

/** `skipped`: erased before it was sent, or nothing was due any more. */
export const SEND_STATES = ['pending', 'sent', 'refused', 'skipped'] as const;
export type SendState = (typeof SEND_STATES)[number];

/** The key of a request in its account. Keys of the service itself have other prefixes. */
export const requestKey = (sendId: string): string => `send:${sendId}`;

/** The id of the caller; null if the service made the mail. */
export const sendIdOf = (key: string): string | null => (key.startsWith(requestKey('')) ? key.slice(requestKey('').length) : null);

/** The key of an account's statement in a run. */
export const runKey = (runId: string): string => `run:${runId}`;

export const STATEMENT_RUN_STATES = ['running', 'paused', 'completed'] as const;
export type StatementRunState = (typeof STATEMENT_RUN_STATES)[number];

/** The key of a reminder: an invoice brings each step once. */
export const reminderKey = (step: number, invoiceId: string): string => `reminder:${step}:${invoiceId}`;
