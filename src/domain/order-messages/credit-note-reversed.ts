import { ID_PREFIXES, RECORD_FIELDS, singleLineText, text } from './fields';
import { refusal, UNUSED_ID, type MessageKind, type RecordNotes } from './kind';

export interface CreditNoteReversal {
  creditNoteId: string;
  reversalId: string;
  reason: string;
}

export type CreditNoteReversed = { type: 'credit_note_reversed' } & CreditNoteReversal & RecordNotes;

/** Id of any existing credit note. The service also creates some, for cancellations. */
export const EXISTING_CREDIT_NOTE_ID = singleLineText(100);
/** The fields of the reversal of a credit note or a refund. */
export const REVERSAL_FIELDS = { reversalId: singleLineText(100), reason: text(500) } as const;

/** Increases the invoice's open amount again. The notes of a void invoice cannot be reversed. */
export const creditNoteReversed: MessageKind<CreditNoteReversed> = {
  fields: { ...RECORD_FIELDS, creditNoteId: EXISTING_CREDIT_NOTE_ID, ...REVERSAL_FIELDS },
  key: ({ reversalId }) => ID_PREFIXES.creditNoteReversal + reversalId,
  describe: ({ creditNoteId }) => `credit note ${creditNoteId} reversed`,
  limit: null,
  movesMoney: true,
  example({ creditNotes }) {
    const creditNoteId = Object.keys(creditNotes).at(-1);
    if (creditNoteId === undefined) return refusal('there is no credit note to reverse on this order');
    return { type: 'credit_note_reversed', creditNoteId, reversalId: UNUSED_ID, reason: UNUSED_ID };
  },
  decide(facts, { creditNoteId }) {
    if (facts.reversedCreditNotes.includes(creditNoteId)) return refusal(`credit note ${creditNoteId} was already reversed`);
    if (!Object.hasOwn(facts.creditNotes, creditNoteId)) return refusal(`there is no credit note ${creditNoteId} on this order`);
    if (facts.baseStatus === 'cancelled')
      return refusal('the order is cancelled and its invoice is void, so its credit notes cannot be reversed');
    const { [creditNoteId]: _reversed, ...creditNotes } = facts.creditNotes;
    return { facts: { ...facts, creditNotes, reversedCreditNotes: [...facts.reversedCreditNotes, creditNoteId] } };
  },
};
