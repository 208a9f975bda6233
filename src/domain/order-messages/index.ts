import { canonicalJson } from '../canonical-json';
import type { ErrorCode } from '../errors';
import { effectiveStatus, type OrderFacts, type OrderStatus } from '../order-status';
import { artworkFitted } from './artwork-fitted';
import { artworkRejected } from './artwork-rejected';
import { artworkReplaced } from './artwork-replaced';
import { cancelled } from './cancelled';
import { changed } from './changed';
import { completed } from './completed';
import { corrected } from './corrected';
import { creditNoteReversed } from './credit-note-reversed';
import { creditNoted } from './credit-noted';
import { held } from './held';
import type { MessageKind, Verdict } from './kind';
import { parcelAdded } from './parcel-added';
import { parcelVoided } from './parcel-voided';
import { paymentRecorded } from './payment-recorded';
import { paymentReversed } from './payment-reversed';
import { printed } from './printed';
import { productionStarted } from './production-started';
import { released } from './released';
import { checked, framed, ready } from './stage-reported';

const KINDS = {
  production_started: productionStarted,
  printed,
  framed,
  checked,
  ready,
  held,
  released,
  artwork_rejected: artworkRejected,
  completed,
  cancelled,
  corrected,
  parcel_added: parcelAdded,
  parcel_voided: parcelVoided,
  payment_recorded: paymentRecorded,
  payment_reversed: paymentReversed,
  credit_noted: creditNoted,
  credit_note_reversed: creditNoteReversed,
  changed,
  artwork_replaced: artworkReplaced,
  artwork_fitted: artworkFitted,
};
type Kinds = typeof KINDS;

export type OrderMessageType = keyof Kinds;
/** A message to an order. Floor systems send some kinds by signal (docs/workflows.md, "By signal"). */
export type OrderMessage = {
  [Type in OrderMessageType]: Kinds[Type] extends MessageKind<infer Message> ? Message : never;
}[OrderMessageType];
export type MessageOf<Type extends OrderMessageType> = Extract<OrderMessage, { type: Type }>;
export type MilestoneType = { [Type in OrderMessageType]: Kinds[Type] extends { isMilestone: true } ? Type : never }[OrderMessageType];

/** Each kind of message by its type. */
export const MESSAGE_KINDS: Readonly<{ [Type in OrderMessageType]: MessageKind<MessageOf<Type>> }> = KINDS;
export const MESSAGE_TYPES = Object.keys(KINDS) as OrderMessageType[];
export const MILESTONE_TYPES = MESSAGE_TYPES.filter((type): type is MilestoneType => MESSAGE_KINDS[type].isMilestone === true);

export const isMessageType = (type: unknown): type is OrderMessageType => MESSAGE_TYPES.some((one) => one === type);
export const isMilestoneType = (type: unknown): type is MilestoneType => MILESTONE_TYPES.some((one) => one === type);

export const kindOf = ({ type }: Pick<OrderMessage, 'type'>): MessageKind<OrderMessage> => MESSAGE_KINDS[type] as MessageKind<OrderMessage>;

/** The studio token or API key that sent a message, and its request. */
export interface MessageSender {
  credentialId: string;
  /** The badge of the person at a station; null without one. */
  badgeId: string | null;
  requestId: string;
}

export interface SentMessage {
  message: OrderMessage;
  /** Null for a signal. */
  sender: MessageSender | null;
}

export const messageKey = (message: OrderMessage): string => kindOf(message).key(message);

/** Decides one message by the order's facts. A pure function, shared by the workflow and the tests. */
export const decide = (facts: OrderFacts, message: OrderMessage): Verdict => kindOf(message).decide(facts, message);

/** The facts after a message, and the status of the event for clients. */
export interface Change {
  facts: OrderFacts;
  eventStatus: OrderStatus | null;
}

/** The workflow's decision about a message. `unchanged` is not recorded. */
export type Decision = Change | { refused: string; code: ErrorCode } | { unchanged: true };

export function decideChange(facts: OrderFacts, message: OrderMessage): Decision {
  const verdict = decide(facts, message);
  if ('refused' in verdict) return { code: refusalCode(message), ...verdict };
  return verdict.isRecorded === false ? { unchanged: true } : { facts: verdict.facts, eventStatus: eventStatus(facts, verdict.facts) };
}

export const refusalCode = (message: OrderMessage): ErrorCode => kindOf(message).refusalCode ?? 'MILESTONE_REFUSED';

/** The message without its id, as JSON text for the timeline. */
export function messageContent({ milestoneId: _id, ...content }: OrderMessage): string {
  return canonicalJson(content);
}

/** The part of a message that must be equal when the message is repeated. */
export function comparedContent(message: OrderMessage): string {
  const { isMilestone, uncompared = [] } = kindOf(message);
  const ignored = ['milestoneId', ...(isMilestone ? [] : ['note', 'occurredAt']), ...uncompared];
  return canonicalJson(Object.fromEntries(Object.entries(message).filter(([name]) => !ignored.includes(name))));
}

/** Returns the status that clients are notified of after a change, or null. Each new parcel sends an event, because its tracking is new. */
export function eventStatus(before: OrderFacts, after: OrderFacts): OrderStatus | null {
  const status = effectiveStatus(after);
  const newParcel = after.liveParcels.some((id) => !before.liveParcels.includes(id));
  return newParcel || status !== effectiveStatus(before) ? status : null;
}

/** Whether an accepted message changes the order. */
export const hasEffect = (type: OrderMessageType, before: OrderFacts, after: OrderFacts): boolean =>
  MESSAGE_KINDS[type].alwaysChanges === true || canonicalJson(before) !== canonicalJson(after);
