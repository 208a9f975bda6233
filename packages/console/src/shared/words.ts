import { ownValue } from './own-value';

/** Labels of API values whose own name does not read well. `statusLabel` derives the others: `in_production` is "In production". */
const LABELS: Readonly<Record<string, string>> = {
  part_paid: 'Partly paid',
  part_shipped: 'Partly shipped',
};

export const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Label of an API value: `in_production` is "In production". */
export function statusLabel(state: string): string {
  return ownValue(LABELS, state) ?? capitalize(state.replaceAll('_', ' ').toLowerCase());
}

/** Errors of a webhook attempt, and their remedy. */
export const WEBHOOK_ERRORS: Readonly<Record<string, { words: string; remedy: string }>> = {
  invalid_url: { words: 'invalid URL', remedy: 'Change the URL.' },
  not_public: { words: 'the URL is not public', remedy: 'Ask the client for a public URL and change it here.' },
  dns: { words: 'host name not found', remedy: 'Ask the client whether the host name is right.' },
  connect: { words: 'could not connect', remedy: 'Ask the client whether the server is running and lets us through its firewall.' },
  tls: { words: 'invalid TLS certificate', remedy: 'Ask the client to renew the certificate.' },
  timeout: { words: 'no response within 10 seconds', remedy: 'Ask the client to respond before processing the event.' },
  reset: { words: 'connection closed by the server', remedy: 'Ask the client to check the log of the server.' },
  redirect: { words: 'redirect not followed', remedy: 'Ask the client for the final URL.' },
  bad_status: { words: 'HTTP error', remedy: 'Tell the client what their server answered, see the response below.' },
  protocol: { words: 'invalid HTTP response', remedy: 'Ask the client whether the URL leads to a web server.' },
};

export const NO_RESULTS = 'No results. Clear the filters to see more.';
export const CLIENT_NOT_NOTIFIED = 'The client is not notified.';

/** `1 order`, `1,234 orders`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-AU')} ${count === 1 ? one : many}`;

export const RECORD_PAYMENT = 'Record payment';
export const AMOUNT_DUE = 'Amount due';

/** Names for people of the token in the service's settings, and of the publisher of the first price book. */
const NAMES: Readonly<Record<string, string>> = { STUDIO_ADMIN_TOKEN: 'First admin', seed: 'First set-up' };

/** The name of an actor. Show the original name on hover. */
export const personName = (name: string): string => ownValue(NAMES, name) ?? name;

/** Counts lines from one: `line 0 (the 1st)` becomes `line 1`. */
const countFromOne = (words: string): string =>
  words.replaceAll(/\bline (\d+) \(the \d+(?:st|nd|rd|th)\)/g, (_all, line: string) => `line ${Number(line) + 1}`);

/** A reason of the API in plain words. */
export function reasonInWords(reason: string): string {
  const words = reason
    .replace(/: DELETE \/accounts\/\S+$/, ' on the account page')
    .replaceAll('send production_started first', 'start production first')
    .replaceAll(/\b(?:in_production|on_hold|production_started)\b/g, (word) => word.replace('_', ' '));
  return countFromOne(words);
}
