import { singleLineTextIssue, integerIssue, textIssue, timeIssue, webUrlIssue } from '../field-formats';
import { LINE_QUANTITY_BOUNDS, lineNumbersIssue, lineQuantitiesIssue, toLineQuantities } from '../line-quantities';
import { MAX_CENTS } from '../limits';

/** One field of a message: whether it may be absent or null, and its format. */
export interface MessageField {
  optional: boolean;
  /** The format for the schemas of the studio API. */
  format:
    | { kind: 'text' | 'singleLineText' | 'integer'; min: number; max: number }
    | { kind: 'timestamp' | 'webUrl' }
    | { kind: 'pieces' }
    | { kind: 'lines' };
  issue: (value: unknown) => string | null;
  /** Converts the value to the form that is compared and stored. */
  normalize?: (value: unknown) => unknown;
  /** The message omits the field if it was not sent. Other fields become null. */
  isOmittedIfAbsent?: true;
  /** A person's name, which only the APIs take. Temporal gets a reference to it (`withNameReferences`). */
  isName?: true;
}

export type Fields = Readonly<Record<string, MessageField>>;

/** The service creates ids with these prefixes, so senders must not use them. */
export const ID_PREFIXES = {
  parcel: 'parcel:',
  parcelVoid: 'parcel-void:',
  payment: 'payment:',
  paymentReversal: 'payment-reversal:',
  creditNote: 'credit-note:',
  creditNoteReversal: 'credit-note-reversal:',
  /** A cancellation by the account, with an id of its own. */
  cancel: 'cancel:',
  change: 'change:',
  artwork: 'artwork:',
  fit: 'fit:',
  /** A correction, with the id of the milestone that it undoes. */
  correction: 'correct:',
  /** A message that an account sends to its test order. */
  advance: 'advance:',
} as const;
const RESERVED_PREFIXES = Object.values(ID_PREFIXES);

export const text = (max: number): MessageField => ({
  optional: false,
  format: { kind: 'text', min: 1, max },
  issue: (value) => textIssue(value, 1, max),
});
/** An optional text. An empty text counts as absent. */
export const optionalText = (max: number): MessageField => ({
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
export const optionalSingleLineText = (max: number): MessageField => ({
  ...optionalText(max),
  format: { kind: 'singleLineText', min: 0, max },
  issue: (value) => singleLineTextIssue(value, 0, max),
});
export const time: MessageField = {
  optional: true,
  format: { kind: 'timestamp' },
  issue: timeIssue,
  normalize: (value) => new Date(String(value)).toISOString(),
};
export const webUrl: MessageField = { optional: true, format: { kind: 'webUrl' }, issue: webUrlIssue };
export const pieces: MessageField = {
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
/** Different lines of the order, from 0. */
export const LINES_FIELD: MessageField = {
  optional: true,
  format: { kind: 'lines' },
  issue: lineNumbersIssue,
  normalize: (value) => (value as number[]).toSorted((a, b) => a - b),
  isOmittedIfAbsent: true,
};
export const cents: MessageField = {
  optional: false,
  format: { kind: 'integer', min: 1, max: MAX_CENTS },
  issue: (value) => integerIssue(value, 1, MAX_CENTS),
};
/** Returns a copy of a field that refuses some values. */
export const withExclusion = (field: MessageField, isRefused: (value: string) => boolean, message: string): MessageField => ({
  ...field,
  issue: (value) => field.issue(value) ?? (isRefused(String(value)) ? message : null),
});
/** Returns a copy of a field that people must be able to read. */
export const notBlank = (field: MessageField): MessageField => withExclusion(field, (value) => value.trim() === '', 'must not be blank');
/** Returns a copy of a field that can be part of a URL. */
const usableInUrls = (field: MessageField): MessageField =>
  withExclusion(field, (value) => value === '.' || value === '..', 'must not be "." or "..", because ids are part of URLs');
/** The sender's id of a new record. */
export const NEW_ID: MessageField = usableInUrls(singleLineText(100));
const senderId = withExclusion(
  singleLineText(200),
  (value) => RESERVED_PREFIXES.some((prefix) => value.startsWith(prefix)),
  `must not begin with ${RESERVED_PREFIXES.join(', ')}: the service reserves these prefixes`,
);

/** The fields of every milestone. */
export const MILESTONE_FIELDS = { milestoneId: usableInUrls(senderId), note: optionalText(2000), occurredAt: time } as const;
/** A parcel or payment has its own id, so `milestoneId` is optional and stored if sent. */
export const RECORD_FIELDS = { ...MILESTONE_FIELDS, milestoneId: { ...senderId, optional: true } } as const;

export const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** Converts a validated value to the form that is compared and stored: null if absent or empty, times in UTC. */
export function readField(field: MessageField, value: unknown): unknown {
  if (isAbsent(value)) return null;
  return field.normalize === undefined ? value : field.normalize(value);
}
