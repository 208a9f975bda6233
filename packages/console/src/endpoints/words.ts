import type { Schema } from '../api/studio';
import { ownValue } from '../shared/own-value';
import { plural, statusLabel, WEBHOOK_ERRORS } from '../shared/words';
export type Endpoint = Schema<'WebhookEndpoint'>;

export const ERROR_CODES: readonly string[] = Object.keys(WEBHOOK_ERRORS);

/** Why an attempt failed: `HTTP 500`. */
export function errorWords(code: string, status: number | null = null): string {
  if (code === 'bad_status' && status !== null) return `HTTP ${status}`;
  const words = ownValue(WEBHOOK_ERRORS, code)?.words ?? statusLabel(code).toLowerCase();
  return code === 'redirect' && status !== null ? `HTTP ${status}: ${words}` : words;
}

export const remedyOf = (code: string | null): string => (code === null ? '' : (ownValue(WEBHOOK_ERRORS, code)?.remedy ?? ''));

/** `order.in_production` is "Order in production". */
export const eventWords = (type: string): string => statusLabel(type.replace('.', ' '));

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** `1 webhook`, `12 webhooks`. The API counts up to 10,000. */
export const countWebhooks = (count: number): string => (count >= 10_000 ? '10,000 webhooks or more' : plural(count, 'webhook'));
