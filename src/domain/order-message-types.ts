import type { LinePieces } from './line-pieces';

export const MILESTONE_TYPES = ['production_started', 'printed', 'held', 'released', 'artwork_rejected', 'completed', 'cancelled'] as const;
export type MilestoneType = (typeof MILESTONE_TYPES)[number];
export const isMilestoneType = (type: unknown): type is MilestoneType => MILESTONE_TYPES.some((one) => one === type);

interface MessageMetadata {
  note?: string | null;
  /** RFC 3339; when it happened on the floor. */
  occurredAt?: string | null;
  /** Who said it, for the timeline: `account`, `signal`, or the studio's token below. */
  actor?: string;
  /** The studio token and request it came by: the audit row that is stored with it names them. */
  tokenId?: string;
  requestId?: string;
  /** Proof that it came by them (`src/security/sender-seal.ts`). */
  seal?: string;
}

export interface NewParcel {
  parcelId: string;
  trackingNumber: string;
  carrier?: string | null;
  trackingUrl?: string | null;
  shippedAt?: string | null;
  /** What it holds; absent: nobody said. Whether that was ordered the database judges, which knows the lines. */
  lines?: LinePieces[] | null;
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

/** The sender's id of the credit note that goes with a cancel. */
export const CANCEL_CREDIT_NOTE_ID = 'cancel';

/** Takes a credit note back (ruling 66). */
export interface CreditNoteReversal {
  creditNoteId: string;
  reversalId: string;
  reason: string;
}

interface MilestoneDetails {
  /** Of a hold or rejected artwork: why, for the client. */
  reason?: string | null;
  /** Of rejected artwork: the line it is for, from 0. */
  line?: number | null;
}

/** An upload in place of another on one line, from 0. */
export interface ArtworkReplacement {
  replacementId: string;
  line: number;
  uploadId: string;
  milestoneId?: undefined;
}

interface OptionalMilestoneId {
  /** Only kept for the timeline: a parcel or payment has an id of its own (ruling 45). */
  milestoneId?: string | null;
}

/** Payload of the update `applyMessage` and of the signal `milestone` (docs/workflows.md, "By signal"). */
export type OrderMessage = MessageMetadata &
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
export type OrderMessageType = OrderMessage['type'];
type MilestoneMessage = Extract<OrderMessage, { type: MilestoneType }>;
export const isMilestone = (message: OrderMessage): message is MilestoneMessage => isMilestoneType(message.type);

/** What the id of a payment begins with that is a share of a payment on account. */
export const ACCOUNT_PAYMENT_PREFIX = 'account:';
