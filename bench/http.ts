import { randomUUID } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { newId } from '../src/security/ids';
import type { Stage } from './stage';

export interface Call {
  method: Dispatcher.HttpMethod;
  url: string;
  path: string;
  credential?: string;
  /** A string is sent unchanged; other values as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sends one request over a persistent connection. @throws Error for any status but 2xx */
export async function call(stage: Stage, { method, url, path, credential, body, headers }: Call): Promise<string> {
  const reply = await stage.connections.request({
    origin: url,
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

/** @returns the order's id */
export async function placeOrder(stage: Stage, { key, quoteId }: { key: string; quoteId: string }): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() };
  const reply = await call(stage, { method: 'POST', url: stage.tradeUrl, path: '/v1/orders', credential: key, body: { quoteId }, headers });
  return (JSON.parse(reply) as { data: { orderId: string } }).data.orderId;
}

/** Writes the rows of an order without the service. @returns the order's id */
export async function placeOnFloor(stage: Stage, { accountId, quoteId }: { accountId: string; quoteId: string }): Promise<string> {
  const orderId = newId('ord');
  const headers = { 'idempotency-key': randomUUID() };
  await call(stage, { method: 'POST', url: stage.floorUrl, path: `/place/${orderId}`, body: { accountId, quoteId }, headers });
  return orderId;
}

/** Sends a milestone over the studio API. */
export function sendMilestone(stage: Stage, orderId: string, body: object): Promise<string> {
  const path = `/studio/v1/orders/${orderId}/milestones`;
  return call(stage, { method: 'POST', url: stage.studioUrl, path, credential: stage.nextAdminToken(), body });
}
