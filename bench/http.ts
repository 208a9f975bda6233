import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { Stage } from './stage';

const REPEATS = 5;

export interface Call {
  method: Dispatcher.HttpMethod;
  url: string;
  path: string;
  credential?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** One request over a kept connection; anything but 2xx ends the run. */
export async function call(stage: Stage, { method, url, path, credential, body, headers }: Call): Promise<string> {
  const reply = await stage.connections(url).request({
    method,
    path,
    headers: {
      ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await reply.body.text();
  if (reply.statusCode < 200 || reply.statusCode > 299) throw new Error(`${method} ${path}: ${reply.statusCode} ${text.slice(0, 300)}`);
  return text;
}

export function placeOrder(
  stage: Stage,
  key: string,
  quoteId: string,
  url: string = stage.tradeUrl,
  idempotencyKey: string = randomUUID(),
): Promise<string> {
  return call(stage, {
    method: 'POST',
    url,
    path: '/v1/orders',
    credential: key,
    body: { quoteId },
    headers: { 'idempotency-key': idempotencyKey },
  });
}

/** As a client should: a request that failed is sent again with the same key. @returns how often it was */
export async function placeOrderPatiently(stage: Stage, key: string, quoteId: string): Promise<number> {
  const idempotencyKey = randomUUID();
  for (let repeats = 0; ; repeats += 1) {
    try {
      await placeOrder(stage, key, quoteId, stage.tradeUrl, idempotencyKey);
      return repeats;
    } catch (error) {
      if (repeats >= REPEATS) throw error;
      await delay(1000);
    }
  }
}
