import type { LineQuantity } from './line-quantities';

export const MILESTONE_TYPES = ['production_started', 'printed', 'held', 'released', 'artwork_rejected', 'completed', 'cancelled'] as const;
export type MilestoneType = (typeof MILESTONE_TYPES)[number];
export const isMilestoneType = (type: unknown): type is MilestoneType => MILESTONE_TYPES.some((one) => one === type);

interface MessageNotes {
  note?: string | null;
  /** When it happened in production, RFC 3339. */
  occurredAt?: string | null;
}

export interface NewParcel {
  parcelId: string;
  trackingNumber: string;
  carrier?: string | null;
  trackingUrl?: string | null;
  shippedAt?: string | null;
  /** The parcel's contents; absent if unknown. The database checks them against the order's lines. */
  lines?: LineQuantity[] | null;
}

export interface NewPayment {
  paymentId: string;
  amountCents: number;
  receivedAt?: string | null;
  reference?: string | null;
}

export interface NewCreditNote {
  creditNoteId: string;
  amountCents: number;
  reason: string;
}

/** The sender's id of the credit note that a cancellation creates. */
export const CANCEL_CREDIT_NOTE_ID = 'cancel';

/** Reverses a credit note. */
export interface CreditNoteReversal {
  creditNoteId: string;
  reversalId: string;
  reason: string;
}

interface MilestoneDetails {
  /** Reason of a hold or rejected artwork, for the client. */
  reason?: string | null;
  /** Line of rejected artwork, from 0. */
  line?: number | null;
}

/** An upload that replaces another on one line, counted from 0. */
export interface ArtworkReplacement {
  replacementId: string;
  line: number;
  uploadId: string;
  milestoneId?: undefined;
}

interface OptionalMilestoneId {
  /** Stored only for the timeline: parcels and payments have their own id. */
  milestoneId?: string | null;
}

/** A message to an order. Floor systems send some types by signal (docs/workflows.md, "By signal"). */
export type OrderMessage = MessageNotes &
  (
    | ({ type: MilestoneType; milestoneId: string } & MilestoneDetails)
    | { type: 'corrected'; milestoneId: string; corrects: string; reason: string }
    | ({ type: 'parcel_added' } & NewParcel & OptionalMilestoneId)
    | ({ type: 'parcel_voided'; parcelId: string } & OptionalMilestoneId)
    | ({ type: 'payment_recorded' } & NewPayment & OptionalMilestoneId)
    | ({ type: 'payment_reversed'; paymentId: string } & OptionalMilestoneId)
    | ({ type: 'credit_noted' } & NewCreditNote & OptionalMilestoneId)
    | ({ type: 'credit_note_reversed' } & CreditNoteReversal & OptionalMilestoneId)
    | { type: 'changed'; changeId: string; milestoneId?: undefined }
    | ({ type: 'artwork_replaced' } & ArtworkReplacement)
  );

/** The studio token or API key that sent a message, and its request. */
export interface MessageSender {
  credentialId: string;
  requestId: string;
}

export interface SentMessage {
  message: OrderMessage;
  /** Null for a signal. */
  sender: MessageSender | null;
}

export type OrderMessageType = OrderMessage['type'];
type MilestoneMessage = Extract<OrderMessage, { type: MilestoneType }>;
export const isMilestone = (message: OrderMessage): message is MilestoneMessage => isMilestoneType(message.type);

/** Prefix of payment ids that are shares of a payment on account. */
export const ACCOUNT_PAYMENT_PREFIX = 'account:';
