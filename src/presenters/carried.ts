import { CREDIT_NOTE_FIELDS, PARCEL_FIELDS, PAYMENT_FIELDS, type MessageField } from '../domain/order-message';
import type { NewCreditNote, NewParcel, NewPayment } from '../domain/order-status';

/** What a parcel, payment or credit note was sent with; a milestone carries nothing besides its note. */
type Carried = Partial<{ [Name in keyof Everything]: NonNullable<Everything[Name]> }>;
type Everything = NewParcel & NewPayment & Omit<NewCreditNote, 'reason'>;

const { reason: _told, ...CREDIT_NOTE } = CREDIT_NOTE_FIELDS; // stands beside it
const FIELDS: Readonly<Record<string, MessageField>> = { ...PARCEL_FIELDS, ...PAYMENT_FIELDS, ...CREDIT_NOTE };

/** The fields of a message that have a value; of a refused one, which may hold anything, those that are as they should be. */
export function carriedBy(content: Record<string, unknown>): Carried {
  const fields = Object.entries(FIELDS).flatMap(([name, { issue }]) => {
    const value = content[name] ?? null;
    return value === null || issue(value) !== null ? [] : [[name, value]];
  });
  return Object.fromEntries(fields) as Carried;
}
