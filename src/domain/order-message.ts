import { canonicalJson } from './canonical-json';
import { MILESTONE_TYPES, type MilestoneType, type OrderMessage } from './order-status';

type Read = { message: OrderMessage } | { problem: string };

/**
 * Reads a message from outside (a signal of any SDK may carry anything). Unknown fields are dropped.
 * @returns the message, or what would make it one.
 */
export function readOrderMessage(input: unknown): Read {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { problem: 'the payload is not an object { milestoneId, type, … }' };
  const fields = input as Record<string, unknown>;
  const problems: string[] = [];
  const head = {
    milestoneId: text(fields, 'milestoneId', 200, problems),
    note: optionalText(fields, 'note', 2000, problems),
    occurredAt: optionalTime(fields, 'occurredAt', problems),
    ...(typeof fields.actor === 'string' ? { actor: fields.actor.slice(0, 200) } : {}),
  };
  const body = readBody(fields, problems);
  return body === null || problems.length > 0 ? { problem: problems.join('; ') } : { message: { ...head, ...body } };
}

type Body = OrderMessage extends infer M ? (M extends OrderMessage ? Omit<M, 'milestoneId' | 'note' | 'occurredAt' | 'actor'> : never) : never;

function readBody(fields: Record<string, unknown>, problems: string[]): Body | null {
  switch (fields.type) {
    case 'parcel_added':
      return {
        type: 'parcel_added',
        parcelId: text(fields, 'parcelId', 100, problems),
        trackingNumber: text(fields, 'trackingNumber', 200, problems),
        carrier: optionalText(fields, 'carrier', 100, problems),
        trackingUrl: optionalWebUrl(fields, 'trackingUrl', problems),
        shippedAt: optionalTime(fields, 'shippedAt', problems),
      };
    case 'parcel_voided':
      return { type: 'parcel_voided', parcelId: text(fields, 'parcelId', 100, problems) };
    case 'payment_recorded':
      return {
        type: 'payment_recorded',
        paymentId: text(fields, 'paymentId', 100, problems),
        amountCents: cents(fields, problems),
        receivedAt: optionalTime(fields, 'receivedAt', problems),
        reference: optionalText(fields, 'reference', 500, problems),
      };
    case 'payment_reversed':
      return { type: 'payment_reversed', paymentId: text(fields, 'paymentId', 100, problems) };
    default:
      if (MILESTONE_TYPES.includes(fields.type as MilestoneType)) return { type: fields.type as MilestoneType };
      problems.push(`type is none of ${[...MILESTONE_TYPES, 'parcel_added', 'parcel_voided', 'payment_recorded', 'payment_reversed'].join(', ')}`);
      return null;
  }
}

const UNSTORABLE = /\u0000|\p{Surrogate}/u;

function text(fields: Record<string, unknown>, key: string, max: number, problems: string[]): string {
  const value = fields[key];
  if (typeof value === 'string' && value.length > 0 && [...value].length <= max && !UNSTORABLE.test(value)) return value;
  problems.push(`${key} takes 1 to ${max} characters`);
  return '';
}

function optionalText(fields: Record<string, unknown>, key: string, max: number, problems: string[]): string | null {
  return fields[key] === undefined || fields[key] === null || fields[key] === '' ? null : text(fields, key, max, problems);
}

/** It reaches clients as a link: nothing but http and https. */
function optionalWebUrl(fields: Record<string, unknown>, key: string, problems: string[]): string | null {
  const value = optionalText(fields, key, 2000, problems);
  if (value !== null && !/^https?:\/\/[^\s/]/i.test(value)) problems.push(`${key} takes an http or https URL`);
  return value;
}

const RFC_3339 = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

function optionalTime(fields: Record<string, unknown>, key: string, problems: string[]): string | null {
  const value = fields[key];
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' && isTime(value)) return new Date(value).toISOString();
  problems.push(`${key} takes an RFC 3339 time such as 2026-01-31T09:30:00Z`);
  return null;
}

/** A day that exists, in years that every store can hold. */
function isTime(value: string): boolean {
  const day = RFC_3339.exec(value)?.[1];
  if (day === undefined || day < '1971-01-01' || day > '9998-12-31') return false;
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

function cents(fields: Record<string, unknown>, problems: string[]): number {
  const value = fields.amountCents;
  if (Number.isSafeInteger(value) && (value as number) > 0) return value as number;
  problems.push('amountCents takes a whole number of cents above 0');
  return 0;
}

/** What a sender's id stands for: everything but who sent it. Equal text, same message. */
export function messageContent(message: OrderMessage): string {
  const { milestoneId: _id, actor: _actor, ...content } = message;
  return canonicalJson(content);
}
