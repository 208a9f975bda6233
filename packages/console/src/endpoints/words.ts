import type { Of } from '../api/types';
import { known } from '../shared/known';
import { wordsOf } from '../shared/status';

export type Endpoint = Of<'WebhookEndpoint'>;

export type Named = Pick<Endpoint, 'id' | 'url' | 'state'>;

/** Why an attempt failed, in words after "because"; and what helps, by the code that the API tells. */
const ERRORS: Readonly<Record<string, { words: string; helps: string }>> = {
  invalid_url: { words: 'the address is none that webhooks can go to', helps: 'Change the address.' },
  not_public: { words: 'the address is not public', helps: 'Ask them for an address on the public internet, and change it here.' },
  dns: { words: "their server's name was not found", helps: 'Ask them whether the name is right, or has just moved.' },
  connect: { words: 'their server could not be reached', helps: 'Ask them whether it runs, and lets us through its firewall.' },
  tls: { words: "their server's certificate was not accepted", helps: 'Ask them to renew it: most have run out, or are of another name.' },
  timeout: { words: 'their server did not answer in time', helps: 'They have ten seconds: ask them to answer first and work afterwards.' },
  reset: { words: 'their server broke off the connection', helps: 'Ask them to look into what their server wrote at that time.' },
  redirect: { words: 'their server sent us elsewhere', helps: 'Redirects are not followed: ask them for the address that answers itself.' },
  bad_status: { words: 'their server refused it', helps: 'Show them what it answered.' },
  protocol: { words: 'what their server answered was no HTTP', helps: 'Ask them whether the address is that of a web server.' },
};

export const ERROR_CODES: readonly string[] = Object.keys(ERRORS);

/** Why an attempt failed, in words that go on after "because": `their server answered 500`. An unknown code is told as it is. */
export function errorWords(code: string, status: number | null = null): string {
  if (code === 'bad_status' && status !== null) return `their server answered ${status}`;
  const words = known(ERRORS, code)?.words ?? `something new went wrong (${wordsOf(code).toLowerCase()})`;
  return code === 'redirect' && status !== null ? `their server answered ${status}: ${words}` : words;
}

export const whatHelps = (code: string): string | null => known(ERRORS, code)?.helps ?? null;

/** `order.in_production` as people say it: `Order in production`. */
export const eventWords = (type: string): string => wordsOf(type.replace('.', ' '));

/** Whose server it is: `shop.example.com`. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** `1 webhook`, `12 webhooks`; the API counts no further than 10,000. */
export function webhooks(count: number): string {
  if (count >= 10_000) return '10,000 webhooks or more';
  return `${count.toLocaleString('en-AU')} ${count === 1 ? 'webhook' : 'webhooks'}`;
}
