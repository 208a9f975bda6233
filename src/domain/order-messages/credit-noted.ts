import { formatCents } from '../money';
import { creditedCents } from '../order-status';
import { CANCEL_CREDIT_NOTE_ID } from './cancelled';
import { cents, ID_PREFIXES, NEW_ID, RECORD_FIELDS, text, withExclusion } from './fields';
import { refusal, UNUSED_ID, type MessageKind, type RecordNotes } from './kind';

export interface NewCreditNote {
  creditNoteId: string;
  amountCents: number;
  reason: string;
}

export type CreditNoted = { type: 'credit_noted' } & NewCreditNote & RecordNotes;

export const CREDIT_NOTE_FIELDS = {
  creditNoteId: withExclusion(
    NEW_ID,
    (value) => value === CANCEL_CREDIT_NOTE_ID,
    `must not be ${CANCEL_CREDIT_NOTE_ID}: the service reserves this id`,
  ),
  amountCents: cents,
  reason: text(500),
} as const;

/**
 * Together with earlier notes it may not exceed the invoice's amount, paid or not. Any credit above the open amount becomes the account's
 * credit.
 */
export const creditNoted: MessageKind<CreditNoted> = {
  fields: { ...RECORD_FIELDS, ...CREDIT_NOTE_FIELDS },
  key: ({ creditNoteId }) => ID_PREFIXES.creditNote + creditNoteId,
  describe: ({ creditNoteId }) => `credit note ${creditNoteId}`,
  limit: 'credit notes',
  movesMoney: true,
  reversedReason: 'this credit note was reversed; send a new credit note id',
  example: () => ({ type: 'credit_noted', creditNoteId: UNUSED_ID, amountCents: 1, reason: UNUSED_ID }),
  decide(facts, { creditNoteId, amountCents }) {
    if (Object.hasOwn(facts.creditNotes, creditNoteId))
      return refusal(`credit note ${creditNoteId} is already recorded; send a new credit note id`);
    if (facts.reversedCreditNotes.includes(creditNoteId))
      return refusal(`credit note ${creditNoteId} was reversed; send a new credit note id`);
    if (facts.baseStatus === 'cancelled') return refusal('the order is cancelled and its invoice is void');
    const leftCents = facts.totalCents - creditedCents(facts);
    if (amountCents > leftCents)
      return refusal(`the credit note is ${formatCents(amountCents)}, but only ${formatCents(leftCents)} of the invoice can be credited`);
    return { facts: { ...facts, creditNotes: { ...facts.creditNotes, [creditNoteId]: amountCents } } };
  },
};
