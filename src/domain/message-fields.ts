import { singleLineTextIssue, integerIssue, textIssue, timeIssue, webUrlIssue } from './field-formats';
import { LINE_QUANTITY_BOUNDS, lineQuantitiesIssue, toLineQuantities } from './line-quantities';
import {
  CANCEL_CREDIT_NOTE_ID,
  isMilestoneType,
  ACCOUNT_PAYMENT_PREFIX,
  type MilestoneType,
  type OrderMessageType,
} from './order-message-types';
import { MAX_CENTS } from './limits';
import { CANCEL_ID_PREFIX } from './cancel-rules';
import { isOrderNumber } from './order-number';

/** One field of a message: whether it may be absent or null, and its format. */
export interface MessageField {
  optional: boolean;
  /** The format for the schemas of the studio API. */
  format: { kind: 'text' | 'singleLineText' | 'integer'; min: number; max: number } | { kind: 'timestamp' | 'webUrl' } | { kind: 'pieces' };
  issue: (value: unknown) => string | null;
  /** Converts the value to the form that is compared and stored. */
  normalize?: (value: unknown) => unknown;
  /** The message omits the field if it was not sent. Other fields become null. */
  isOmittedIfAbsent?: true;
}

export type Fields = Readonly<Record<string, MessageField>>;

/** Prefix of message ids that an account sends to its test orders. */
export const ADVANCE_ID_PREFIX = 'advance:';

/** Prefix of correction ids, followed by the id of the reversed milestone. */
export const CORRECTION_ID_PREFIX = 'correct:';

/** The service creates ids with these prefixes, so senders must not use them. */
const RESERVED_PREFIXES = [
  'parcel:',
  'parcel-void:',
  'payment:',
  'payment-reversal:',
  'credit-note:',
  'credit-note-reversal:',
  CANCEL_ID_PREFIX,
  'change:',
  'artwork:',
  CORRECTION_ID_PREFIX,
  ADVANCE_ID_PREFIX,
];

const text = (max: number): MessageField => ({
  optional: false,
  format: { kind: 'text', min: 1, max },
  issue: (value) => textIssue(value, 1, max),
});
/** An optional text. An empty text counts as absent. */
const optionalText = (max: number): MessageField => ({
  optional: true,
  format: { kind: 'text', min: 0, max },
  issue: (value) => textIssue(value, 0, max),
  normalize: (value) => (value === '' ? null : value),
});
/** A text of one line, such as an id. Programs write and compare such texts, so control characters are refused. */
export const singleLineText = (max: number): MessageField => ({
  optional: false,
  format: { kind: 'singleLineText', min: 1, max },
  issue: (value) => singleLineTextIssue(value, 1, max),
});
const optionalSingleLineText = (max: number): MessageField => ({
  ...optionalText(max),
  format: { kind: 'singleLineText', min: 0, max },
  issue: (value) => singleLineTextIssue(value, 0, max),
});
const time: MessageField = {
  optional: true,
  format: { kind: 'timestamp' },
  issue: timeIssue,
  normalize: (value) => new Date(String(value)).toISOString(),
};
const webUrl: MessageField = { optional: true, format: { kind: 'webUrl' }, issue: webUrlIssue };
const pieces: MessageField = {
  optional: true,
  format: { kind: 'pieces' },
  issue: lineQuantitiesIssue,
  normalize: toLineQuantities,
  isOmittedIfAbsent: true,
};
/** A line of the order, from 0. */
export const LINE_FIELD: MessageField = {
  optional: false,
  format: { kind: 'integer', ...LINE_QUANTITY_BOUNDS.line },
  issue: (value) => integerIssue(value, LINE_QUANTITY_BOUNDS.line.min, LINE_QUANTITY_BOUNDS.line.max),
};
const cents: MessageField = {
  optional: false,
  format: { kind: 'integer', min: 1, max: MAX_CENTS },
  issue: (value) => integerIssue(value, 1, MAX_CENTS),
};
/** Returns a copy of a field that refuses some values. */
const withExclusion = (field: MessageField, isRefused: (value: string) => boolean, message: string): MessageField => ({
  ...field,
  issue: (value) => field.issue(value) ?? (isRefused(String(value)) ? message : null),
});
/** Returns a copy of a field that people must be able to read. */
const notBlank = (field: MessageField): MessageField => withExclusion(field, (value) => value.trim() === '', 'must not be blank');
/** Returns a copy of a field that can be part of a URL. */
const usableInUrls = (field: MessageField): MessageField =>
  withExclusion(field, (value) => value === '.' || value === '..', 'must not be "." or "..", because ids are part of URLs');
/** The sender's id of a new record. */
export const NEW_ID: MessageField = usableInUrls(singleLineText(100));
/** Refuses blanks and order numbers. A scanner types into the focused field, so the order number on a job sheet must not become a parcel's id. */
const trackingNumber = (field: MessageField): MessageField =>
  withExclusion(
    notBlank(field),
    isOrderNumber,
    "must be the carrier's tracking number, not an order number; scan the carrier's label, or type the number below its barcode",
  );
const senderId = withExclusion(
  singleLineText(200),
  (value) => RESERVED_PREFIXES.some((prefix) => value.startsWith(prefix)),
  `must not begin with ${RESERVED_PREFIXES.join(', ')}: the service reserves these prefixes`,
);

/** The fields of each message type, the same for signals and the studio API (studio API "Endpoints"). */
export const MILESTONE_FIELDS = { milestoneId: usableInUrls(senderId), note: optionalText(2000), occurredAt: time } as const;
/** For a parcel without an id, whose tracking number becomes its id. */
export const TRACKING_NUMBER_AS_ID = trackingNumber(NEW_ID);

/** Further fields of some milestone types. */
const DETAILS_BY_MILESTONE: Partial<Record<MilestoneType, Fields>> = {
  held: { reason: { ...optionalText(500), isOmittedIfAbsent: true } },
  artwork_rejected: { line: LINE_FIELD, reason: notBlank(text(500)) },
};
/** The fields of a milestone of any type. */
export const ANY_MILESTONE_FIELDS: Fields = {
  ...MILESTONE_FIELDS,
  ...Object.fromEntries(
    Object.values(DETAILS_BY_MILESTONE)
      .flatMap((details) => Object.entries(details))
      .map(([name, field]) => [name, { ...field, optional: true }]),
  ),
};
/** Id of any existing parcel. */
export const EXISTING_PARCEL_ID = singleLineText(100);
export const PARCEL_FIELDS = {
  parcelId: NEW_ID,
  trackingNumber: trackingNumber(singleLineText(200)),
  carrier: optionalSingleLineText(100),
  trackingUrl: webUrl,
  shippedAt: time,
  lines: pieces,
} as const;
/** Id of any existing payment, including shares of payments on account. */
export const EXISTING_PAYMENT_ID = singleLineText(100);
const paymentId = withExclusion(
  NEW_ID,
  (value) => value.startsWith(ACCOUNT_PAYMENT_PREFIX),
  `must not begin with ${ACCOUNT_PAYMENT_PREFIX}: the prefix is reserved for payments on account`,
);
export const PAYMENT_FIELDS = { paymentId, amountCents: cents, receivedAt: time, reference: optionalSingleLineText(500) } as const;

export const CREDIT_NOTE_FIELDS = {
  creditNoteId: withExclusion(
    NEW_ID,
    (value) => value === CANCEL_CREDIT_NOTE_ID,
    `must not be ${CANCEL_CREDIT_NOTE_ID}: the service reserves this id`,
  ),
  amountCents: cents,
  reason: text(500),
} as const satisfies Record<string, MessageField>;

/** Id of any existing credit note, including the service's own. */
export const EXISTING_CREDIT_NOTE_ID = singleLineText(100);
/** The fields of the reversal of a credit note or a refund. */
export const REVERSAL_FIELDS = { reversalId: singleLineText(100), reason: text(500) } as const;

export const CORRECTION_FIELDS = { corrects: singleLineText(200), reason: text(2000) } as const;

const OPTIONAL_MILESTONE_FIELDS = { ...MILESTONE_FIELDS, milestoneId: { ...senderId, optional: true } };
/** A parcel or payment has its own id, so `milestoneId` is optional and stored if sent. */
export const FIELDS_BY_TYPE: Readonly<Record<Exclude<OrderMessageType, MilestoneType>, Fields>> = {
  parcel_added: { ...OPTIONAL_MILESTONE_FIELDS, ...PARCEL_FIELDS },
  parcel_voided: { ...OPTIONAL_MILESTONE_FIELDS, parcelId: EXISTING_PARCEL_ID },
  payment_recorded: { ...OPTIONAL_MILESTONE_FIELDS, ...PAYMENT_FIELDS },
  payment_reversed: { ...OPTIONAL_MILESTONE_FIELDS, paymentId: EXISTING_PAYMENT_ID },
  credit_noted: { ...OPTIONAL_MILESTONE_FIELDS, ...CREDIT_NOTE_FIELDS },
  credit_note_reversed: { ...OPTIONAL_MILESTONE_FIELDS, creditNoteId: EXISTING_CREDIT_NOTE_ID, ...REVERSAL_FIELDS },
  corrected: CORRECTION_FIELDS,
  artwork_replaced: { replacementId: singleLineText(100), line: LINE_FIELD, uploadId: singleLineText(100) },
  changed: { changeId: singleLineText(100) },
};

export function fieldsOf(type: unknown): Fields | null {
  if (isMilestoneType(type)) return { ...MILESTONE_FIELDS, ...DETAILS_BY_MILESTONE[type] };
  return typeof type === 'string' && Object.hasOwn(FIELDS_BY_TYPE, type) ? FIELDS_BY_TYPE[type as keyof typeof FIELDS_BY_TYPE] : null;
}
export const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** Converts a validated value to the form that is compared and stored: null if absent or empty, times in UTC. */
export function readField(field: MessageField, value: unknown): unknown {
  if (isAbsent(value)) return null;
  return field.normalize === undefined ? value : field.normalize(value);
}
