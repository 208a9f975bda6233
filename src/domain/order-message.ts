import { canonicalJson } from './canonical-json';
import { assertNever, type ValidationIssue } from './errors';
import { isIdentifier } from './identifiers';
import { machineTextIssue, integerIssue, textIssue, timeIssue, webUrlIssue } from './field-forms';
import { PIECES_BOUNDS, piecesIssue, readPieces } from './line-pieces';
import {
  CANCEL_NOTE_ID,
  isMilestone,
  isMilestoneType,
  MILESTONE_TYPES,
  ON_ACCOUNT,
  type MilestoneType,
  type OrderMessage,
  type OrderMessageType,
} from './order-status';
import { MAX_CENTS } from './limits';
import { isOrderNumber } from './order-number';

/** One field of a message: whether it may be left out or null, and what it must be. */
export interface MessageField {
  optional: boolean;
  /** The same for programs: what the studio API's schemas tell of the field. */
  form: { kind: 'text' | 'machineText' | 'integer'; min: number; max: number } | { kind: 'timestamp' | 'webUrl' } | { kind: 'pieces' };
  issue: (value: unknown) => string | null;
  /** The value in the one form that is compared and stored. */
  read?: (value: unknown) => unknown;
  /** Left out of the message where it was not sent; other fields are null. */
  onlyIfSent?: true;
}

type Fields = Readonly<Record<string, MessageField>>;

/** What ids of messages begin with that an account sends to its test orders (ruling 61). */
export const ADVANCE_ID = 'advance:';

/** What the id of a correction begins with; the rest is the id of the milestone that it takes back (ruling 56). */
export const CORRECTION_ID = 'correct:';

/** Ids with these prefixes are made by the service itself, so nobody outside may use them (ruling 45). */
const RESERVED = [
  'parcel:',
  'parcel-void:',
  'payment:',
  'payment-reversal:',
  'credit-note:',
  'credit-note-reversal:',
  'cancel:',
  'change:',
  'artwork:',
  CORRECTION_ID,
  ADVANCE_ID,
];

const text = (max: number): MessageField => ({
  optional: false,
  form: { kind: 'text', min: 1, max },
  issue: (value) => textIssue(value, 1, max),
});
/** Empty is as good as left out. */
const optionalText = (max: number): MessageField => ({
  optional: true,
  form: { kind: 'text', min: 0, max },
  issue: (value) => textIssue(value, 0, max),
  read: (value) => (value === '' ? null : value),
});
/** Programs write and compare these, people do not: no control characters (ruling 75). */
const machineText = (max: number): MessageField => ({
  optional: false,
  form: { kind: 'machineText', min: 1, max },
  issue: (value) => machineTextIssue(value, 1, max),
});
const optionalMachineText = (max: number): MessageField => ({
  ...optionalText(max),
  form: { kind: 'machineText', min: 0, max },
  issue: (value) => machineTextIssue(value, 0, max),
});
const time: MessageField = {
  optional: true,
  form: { kind: 'timestamp' },
  issue: timeIssue,
  read: (value) => new Date(String(value)).toISOString(),
};
const webUrl: MessageField = { optional: true, form: { kind: 'webUrl' }, issue: webUrlIssue };
const pieces: MessageField = { optional: true, form: { kind: 'pieces' }, issue: piecesIssue, read: readPieces, onlyIfSent: true };
/** A line of the order, from 0. */
export const LINE_FIELD: MessageField = {
  optional: false,
  form: { kind: 'integer', ...PIECES_BOUNDS.line },
  issue: (value) => integerIssue(value, PIECES_BOUNDS.line.min, PIECES_BOUNDS.line.max),
};
const cents: MessageField = {
  optional: false,
  form: { kind: 'integer', min: 1, max: MAX_CENTS },
  issue: (value) => integerIssue(value, 1, MAX_CENTS),
};
/** The same field, of which some values are refused. */
const except = (field: MessageField, isRefused: (value: string) => boolean, message: string): MessageField => ({
  ...field,
  issue: (value) => field.issue(value) ?? (isRefused(String(value)) ? message : null),
});
/** The same field for something new, which URLs name by it. */
const inUrls = (field: MessageField): MessageField =>
  except(
    field,
    (value) => value === '.' || value === '..',
    'must not be . or ..: URLs name things by their ids, and these two mean something else there',
  );
/** An id of the sender's own, for something new. */
export const OWN_ID: MessageField = inUrls(machineText(100));
/** A scanner's text goes into whatever field has the focus, so a job sheet's number must not tell the client of a parcel. */
const noOrderNumber = (field: MessageField): MessageField =>
  except(
    field,
    isOrderNumber,
    "must be the carrier's tracking number, not the number of an order; scan the carrier's label, or type the number below its barcode",
  );
const senderId = except(
  machineText(200),
  (value) => RESERVED.some((prefix) => value.startsWith(prefix)),
  `must not begin with ${RESERVED.join(', ')}: the service's own ids do`,
);

/** The fields of each kind of message, the same for signals and for the studio API (studio API "Endpoints", ruling 45). */
export const MILESTONE_FIELDS = { milestoneId: inUrls(senderId), note: optionalText(2000), occurredAt: time } as const;
/** Of a parcel that is sent without an id, and takes its tracking number for one. */
export const TRACKING_NUMBER_AS_ID = noOrderNumber(OWN_ID);

/** What milestones of one type have besides. */
const DETAILS_BY_MILESTONE: Partial<Record<MilestoneType, Fields>> = {
  held: { reason: { ...optionalText(500), onlyIfSent: true } },
  artwork_rejected: { line: LINE_FIELD, reason: text(500) },
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
/** Of any parcel there may be. */
export const SENT_PARCEL_ID = machineText(100);
export const PARCEL_FIELDS = {
  parcelId: OWN_ID,
  trackingNumber: noOrderNumber(machineText(200)),
  carrier: optionalMachineText(100),
  trackingUrl: webUrl,
  shippedAt: time,
  lines: pieces,
} as const;
/** Of any payment there may be, a share of one on account too. */
export const SENT_PAYMENT_ID = machineText(100);
const paymentId = except(
  OWN_ID,
  (value) => value.startsWith(ON_ACCOUNT),
  `must not begin with ${ON_ACCOUNT}: shares of payments on account do, which are recorded at the account`,
);
export const PAYMENT_FIELDS = { paymentId, amountCents: cents, receivedAt: time, reference: optionalMachineText(500) } as const;

export const CREDIT_NOTE_FIELDS = {
  creditNoteId: except(OWN_ID, (value) => value === CANCEL_NOTE_ID, `must not be ${CANCEL_NOTE_ID}: the service's own is`),
  amountCents: cents,
  reason: text(500),
} as const satisfies Record<string, MessageField>;

/** Of any credit note there may be, the service's own too. */
export const SENT_CREDIT_NOTE_ID = machineText(100);
/** Of a refund as well. */
export const REVERSAL_FIELDS = { reversalId: machineText(100), reason: text(500) } as const;

export const CORRECTION_FIELDS = { corrects: machineText(200), reason: text(2000) } as const;

const BESIDE_MILESTONES = { ...MILESTONE_FIELDS, milestoneId: { ...senderId, optional: true } };
/** A parcel or payment has an id of its own, so a `milestoneId` is optional there, and kept where one was sent (ruling 45). */
const FIELDS_BY_TYPE: Readonly<Record<Exclude<OrderMessageType, MilestoneType>, Fields>> = {
  parcel_added: { ...BESIDE_MILESTONES, ...PARCEL_FIELDS },
  parcel_voided: { ...BESIDE_MILESTONES, parcelId: SENT_PARCEL_ID },
  payment_recorded: { ...BESIDE_MILESTONES, ...PAYMENT_FIELDS },
  payment_reversed: { ...BESIDE_MILESTONES, paymentId: SENT_PAYMENT_ID },
  credit_noted: { ...BESIDE_MILESTONES, ...CREDIT_NOTE_FIELDS },
  credit_note_reversed: { ...BESIDE_MILESTONES, creditNoteId: SENT_CREDIT_NOTE_ID, ...REVERSAL_FIELDS },
  corrected: CORRECTION_FIELDS,
  artwork_replaced: { replacementId: machineText(100), line: LINE_FIELD, uploadId: machineText(100) },
  changed: { changeId: machineText(100) },
};
/** Types that only the service sends, with the credential that seals them. */
const SEALED_BY = { credit_noted: 'tok', credit_note_reversed: 'tok', corrected: 'tok', changed: 'key', artwork_replaced: 'key' } as const;
const sealOf = (type: unknown): 'tok' | 'key' | null =>
  typeof type === 'string' && Object.hasOwn(SEALED_BY, type) ? SEALED_BY[type as keyof typeof SEALED_BY] : null;

/**
 * Why a message is refused that lacks the seal of its type or id; null where it has it. Comes after `attributed`, which removes wrong seals
 * and makes a message by an account's key the account's.
 */
export function forgeryIn({ type, milestoneId, tokenId, actor }: OrderMessage): string | null {
  const isToken = isIdentifier('tok', tokenId ?? '');
  const isAccount = actor === 'account';
  if (milestoneId?.startsWith(ADVANCE_ID) && !isAccount) return `ids that begin with ${ADVANCE_ID} are the service's own`;
  if (sealOf(type) === 'tok' && !isToken) return `${type} is sent by the studio API alone`;
  if (sealOf(type) === 'key' && !isAccount) return `${type} is sent by the trade API alone`;
  return null;
}

type WithoutMadeId<M> = M extends { type: 'corrected' } ? Omit<M, 'milestoneId'> : M;
/** A message that was judged. The id of a correction follows from the milestone that it takes back. */
export type JudgedMessage = WithoutMadeId<OrderMessage>;

type Read = { message: OrderMessage } | { issues: ValidationIssue[] };

/** Judges and reads a message from outside: a signal may carry anything, whatever SDK sent it. */
export function readOrderMessage(input: unknown): Read {
  const issues = messageIssues(input);
  return issues.length > 0 ? { issues } : { message: orderMessage(input as JudgedMessage) };
}

export function messageIssues(input: unknown): ValidationIssue[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return [{ path: '', message: 'the payload is not an object { milestoneId, type, … }' }];
  const given = input as Record<string, unknown>;
  const fields = fieldsFor(given);
  return [
    ...(fields === null ? [{ path: 'type', message: typeProblem(given.type) }] : []),
    ...Object.entries(fields ?? MILESTONE_FIELDS).flatMap(([path, field]) => issuesOf(path, field, own(given, path))),
  ];
}

/** The same of a milestone whose sender means every field: one of another milestone's is an issue too. */
export function milestoneIssues(given: { type: MilestoneType } & Record<string, unknown>): ValidationIssue[] {
  const own = fieldsOf(given.type) ?? {};
  const others = Object.keys(ANY_MILESTONE_FIELDS).filter((name) => !Object.hasOwn(own, name) && !isLeftOut(given[name]));
  return [...messageIssues(given), ...others.map((path) => ({ path, message: `is no field of the milestone ${given.type}` }))];
}

/** The message in the one form that is compared and stored. Unknown fields are dropped. */
export function orderMessage(judged: JudgedMessage): OrderMessage {
  const given = judged as unknown as Record<string, unknown>;
  const fields = Object.entries(fieldsOf(judged.type) ?? {});
  const sent = fields.filter(([name, field]) => field.onlyIfSent !== true || !isLeftOut(own(given, name)));
  const values = sent.map(([name, field]) => [name, readField(field, own(given, name))]);
  const its = judged.type === 'corrected' ? { milestoneId: CORRECTION_ID + judged.corrects } : {};
  return { type: judged.type, ...its, ...Object.fromEntries(values), ...sender(given) } as OrderMessage;
}

function typeProblem(type: unknown): string {
  if (type === 'corrected') return "corrected is the studio API's own: POST /orders/{id}/milestones/{milestoneId}/correct";
  const others = Object.keys(FIELDS_BY_TYPE).filter((other) => sealOf(other) === null);
  return `must be one of ${[...MILESTONE_TYPES, ...others].join(', ')}`;
}

function fieldsOf(type: unknown): Fields | null {
  if (isMilestoneType(type)) return { ...MILESTONE_FIELDS, ...DETAILS_BY_MILESTONE[type] };
  return typeof type === 'string' && Object.hasOwn(FIELDS_BY_TYPE, type) ? FIELDS_BY_TYPE[type as keyof typeof FIELDS_BY_TYPE] : null;
}

/** The fields that this sender may send; null where the type is unknown or another's. */
function fieldsFor(given: Record<string, unknown>): Fields | null {
  const { type } = given;
  const seal = sealOf(type);
  if (seal !== null && !isSealedAs(seal, given)) return null;
  const fields = fieldsOf(type);
  return fields !== null && isMilestoneType(type) && isAdvance(given) ? { ...fields, milestoneId: machineText(200) } : fields;
}

function isAdvance(given: Record<string, unknown>): boolean {
  const { milestoneId } = given;
  return typeof milestoneId === 'string' && milestoneId.startsWith(ADVANCE_ID) && isSealedAs('key', given);
}

/** Claims to come from an account's key, or a token of the studio; whether its seal is good is judged where it is stored. */
function isSealedAs(prefix: 'key' | 'tok', { tokenId, seal }: Record<string, unknown>): boolean {
  return typeof tokenId === 'string' && isIdentifier(prefix, tokenId) && typeof seal === 'string';
}

const own = (given: Record<string, unknown>, name: string): unknown => (Object.hasOwn(given, name) ? given[name] : undefined);
const isLeftOut = (value: unknown): boolean => value === undefined || value === null;

function issuesOf(path: string, field: MessageField, value: unknown): ValidationIssue[] {
  const message = field.optional && isLeftOut(value) ? null : field.issue(value);
  return message === null ? [] : [{ path, message }];
}

/** A judged value in the one form that is compared and stored: null where it is absent or empty, a time in UTC. */
export function readField(field: MessageField, value: unknown): unknown {
  if (isLeftOut(value)) return null;
  return field.read === undefined ? value : field.read(value);
}

/** Who sent it: the studio API gives token and request, with a seal that proves it. From anybody else this is no more than a claim. */
function sender({ actor, tokenId, requestId, seal }: Record<string, unknown>) {
  const named = { actor, tokenId, requestId, seal };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => machineTextIssue(value, 1, 200) === null));
}

export function describeIssues(issues: readonly ValidationIssue[]): string {
  return issues.map(({ path, message }) => (path === '' ? message : `${path} ${message}`)).join('; ');
}

export const changeKey = (changeId: string): string => `change:${changeId}`;

/** Two messages with the same key are the same message, whichever way they are sent: its kind and id (ruling 45). */
export function messageKey(message: OrderMessage): string {
  if (isMilestone(message)) return message.milestoneId;
  switch (message.type) {
    case 'parcel_added':
      return `parcel:${message.parcelId}`;
    case 'parcel_voided':
      return `parcel-void:${message.parcelId}`;
    case 'payment_recorded':
      return `payment:${message.paymentId}`;
    case 'payment_reversed':
      return `payment-reversal:${message.paymentId}`;
    case 'credit_noted':
      return `credit-note:${message.creditNoteId}`;
    case 'credit_note_reversed':
      return `credit-note-reversal:${message.reversalId}`;
    case 'corrected':
      return message.milestoneId;
    case 'changed':
      return changeKey(message.changeId);
    case 'artwork_replaced':
      return `artwork:${message.replacementId}`;
    default:
      return assertNever(message);
  }
}

/** All of a message but its id and who sent it. */
function contentOf(message: OrderMessage) {
  const { milestoneId: _id, actor: _actor, tokenId: _token, requestId: _request, seal: _seal, ...content } = message;
  return content;
}

/** All of a message but who sent it, as JSON text for the timeline. */
export const messageContent = (message: OrderMessage): string => canonicalJson(contentOf(message));

/** What a repeat under the same key must match: not note and time of parcels and payments, nor the reason of corrections. */
export function comparedContent(message: OrderMessage): string {
  if (isMilestone(message)) return messageContent(message);
  if (message.type === 'corrected') return canonicalJson({ type: message.type, corrects: message.corrects });
  const { note: _note, occurredAt: _at, ...content } = contentOf(message);
  return canonicalJson(content);
}

/**
 * Messages besides milestones, and cancels. `counted`: what they are called; null: not counted, so that a milestone, parcel, payment or
 * credit note of a full order can still be taken back.
 */
const KINDS = {
  cancelled: { movesMoney: true, counted: 'cancels' },
  corrected: { movesMoney: false, counted: null },
  parcel_added: { movesMoney: false, counted: 'parcels' },
  parcel_voided: { movesMoney: false, counted: null },
  payment_recorded: { movesMoney: true, counted: 'payments' },
  payment_reversed: { movesMoney: true, counted: null },
  credit_noted: { movesMoney: true, counted: 'credit notes' },
  credit_note_reversed: { movesMoney: true, counted: null },
  changed: { movesMoney: false, counted: 'changes' },
  artwork_replaced: { movesMoney: false, counted: 'replacements of artwork' },
} as const satisfies Record<Exclude<OrderMessageType, MilestoneType> | 'cancelled', { movesMoney: boolean; counted: string | null }>;
type Kinds = typeof KINDS;
type MoneyType = { [Type in keyof Kinds]: Kinds[Type]['movesMoney'] extends true ? Type : never }[keyof Kinds];
const hasKind = (type: OrderMessageType): type is keyof Kinds => Object.hasOwn(KINDS, type);
export type MoneyMessage = OrderMessage & { type: MoneyType };
export const MESSAGE_TYPES = [...new Set([...MILESTONE_TYPES, ...Object.keys(KINDS)])] as OrderMessageType[];

/** Changes what the account owes or has, so that its row is locked before the order's (ruling 54). */
export const movesMoney = (message: OrderMessage): message is MoneyMessage => hasKind(message.type) && KINDS[message.type].movesMoney;

/** At most this many of each kind below are applied to one order, and as many refusals kept in its timeline. */
export const MAX_PER_KIND = 200;

/** The types that count together with this one, and their name; null: not counted. Cancels count alone: only the first has an effect. */
export function countedWith(type: OrderMessageType): { types: readonly OrderMessageType[]; called: string } | null {
  if (!hasKind(type)) return { types: MILESTONE_TYPES.filter((one) => one !== 'cancelled'), called: 'milestones' };
  const called = KINDS[type].counted;
  return called === null ? null : { types: [type], called };
}

/** Why a message that was applied and then taken back is not applied again. */
export function takenBackReason({ type }: OrderMessage): string {
  switch (type) {
    case 'parcel_added':
      return 'the label of this parcel was voided; a new parcel takes a new parcel id';
    case 'payment_recorded':
      return 'this payment was reversed; a new payment takes a new payment id';
    case 'credit_noted':
      return 'this credit note was reversed; a new credit note takes a new credit note id';
    default:
      return 'this milestone was corrected; one that is true takes a new milestoneId';
  }
}

export const fullReason = (called: string): string =>
  `this order has ${MAX_PER_KIND} ${called} and takes no more` +
  (called === 'cancels' ? '' : '; it can still be cancelled, and parcels, payments and credit notes taken back');
