import type { ErrorCode } from '../errors';
import type { OrderFacts } from '../order-status';
import { MILESTONE_FIELDS, type Fields } from './fields';

/** A refusal with its reason, or the new facts. `isRecorded` is false for a message that is confirmed without an entry in the timeline. */
export type Verdict = { refused: string; code?: ErrorCode } | { facts: OrderFacts; isRecorded?: false };

/** The rules of one kind of message. `activities/order-messages` has its part of the database. */
export interface MessageKind<M> {
  /** Its fields with their checks. Unknown fields are dropped. */
  fields: Fields;
  /** Identifies the message, whichever way it was sent (ruling 45). */
  key(message: M): string;
  /** Decides by the order's facts. A message that leaves them unchanged is recorded without an effect. */
  decide(facts: OrderFacts, message: M): Verdict;
  /** Its summary in the order's history: "printed", "parcel CC-20041". Contains ids only. */
  describe(message: M): string;
  /** Kinds with the same label share a limit. Null means no limit, so that the records of a full order can still be reversed. */
  limit: string | null;
  /** An example to decide whether the studio can send it now, or the reason why not. Absent if the timeline decides, and for clients. */
  example?(facts: OrderFacts): M | { refused: string };
  /** Fields that may differ when the message is repeated, besides the note and time of a record. */
  uncompared?: readonly string[];
  /** Floor systems may send it by signal. */
  isSignal?: true;
  isMilestone?: true;
  /** Only clients send it. */
  isFromClient?: true;
  /** It changes balances of the account, so the account's row is locked before the order's. */
  movesMoney?: true;
  /** It changes the timeline or what the client sees, even if the facts stay the same. */
  alwaysChanges?: true;
  /** Why it is not applied again after it was reversed. */
  reversedReason?: string;
  /** The code of its refusals. Default: MILESTONE_REFUSED. */
  refusalCode?: ErrorCode;
}

/** A note, and the time when it happened in production (RFC 3339). */
export interface Notes {
  note?: string | null;
  occurredAt?: string | null;
}

/** Parcels, payments and other records have their own id. A `milestoneId` is stored only for the timeline. */
export interface RecordNotes extends Notes {
  milestoneId?: string | null;
}

/** An id for examples. No record has it, because ids are not empty. */
export const UNUSED_ID = '';

export const refusal = (reason: string): { refused: string } => ({ refused: reason });

export interface Milestone<Type extends string> extends Notes {
  type: Type;
  milestoneId: string;
}

export type MilestoneKind<M> = MessageKind<M> & { isMilestone: true };

/** A milestone with its own fields and decision. */
export function milestoneKind<Type extends string, Details = unknown>(
  type: Type,
  { fields = {}, ...own }: Pick<MessageKind<Milestone<Type> & Details>, 'decide'> & Partial<MessageKind<Milestone<Type> & Details>>,
): MilestoneKind<Milestone<Type> & Details> {
  return {
    key: ({ milestoneId }) => milestoneId,
    describe: () => type.replace('_', ' '),
    limit: 'milestones',
    example: () => ({ type, milestoneId: UNUSED_ID }) as Milestone<Type> & Details,
    isSignal: true,
    reversedReason: 'this milestone was corrected; send a new milestoneId',
    ...own,
    fields: { ...MILESTONE_FIELDS, ...fields },
    isMilestone: true,
  };
}
