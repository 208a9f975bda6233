import { canonicalJson } from './canonical-json';
import { assertNever, type ValidationIssue } from './errors';
import { isIdentifier } from './identifiers';
import { machineTextIssue, integerIssue, textIssue, timeIssue, webUrlIssue } from './field-formats';
import { PIECES_BOUNDS, piecesIssue, readPieces } from './line-pieces';
import {
  CANCEL_CREDIT_NOTE_ID,
  isMilestone,
  isMilestoneType,
  MILESTONE_TYPES,
  ACCOUNT_PAYMENT_PREFIX,
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
  format: { kind: 'text' | 'machineText' | 'integer'; min: number; max: number } | { kind: 'timestamp' | 'webUrl' } | { kind: 'pieces' };
  issue: (value: unknown) => string | null;
  /** The value in the one form that is compared and stored. */
  normalize?: (value: unknown) => unknown;
  /** Left out of the message where it was not sent; other fields are null. */
  isOmittedIfAbsent?: true;
}

type Fields = Readonly<Record<string, MessageField>>;

/** What ids of messages begin with that an account sends to its test orders (ruling 61). */
export const ADVANCE_ID_PREFIX = 'advance:';

/** What the id of a correction begins with; the rest is the id of the milestone that it takes back (ruling 56). */
export const CORRECTION_ID_PREFIX = 'correct:';

/** Ids with these prefixes are made by the service itself, so nobody outside may use them (ruling 45). */
const RESERVED_PREFIXES = [
  'parcel:',
  'parcel-void:',
  'payment:',
  'payment-reversal:',
  'credit-note:',
  'credit-note-reversal:',
  'cancel:',
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
/** Empty is as good as left out. */
const optionalText = (max: number): MessageField => ({
  optional: true,
  format: { kind: 'text', min: 0, max },
  issue: (value) => textIssue(value, 0, max),
  normalize: (value) => (value === '' ? null : value),
});
/** Programs write and compare these, people do not: no control characters (ruling 75). */
const machineText = (max: number): MessageField => ({
  optional: false,
  format: { kind: 'machineText', min: 1, max },
  issue: (value) => machineTextIssue(value, 1, max),
});
const optionalMachineText = (max: number): MessageField => ({
  ...optionalText(max),
  format: { kind: 'machineText', min: 0, max },
  issue: (value) => machineTextIssue(value, 0, max),
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
  issue: piecesIssue,
  normalize: readPieces,
  isOmittedIfAbsent: true,
};
/** A line of the order, from 0. */
export const LINE_FIELD: MessageField = {
  optional: false,
  format: { kind: 'integer', ...PIECES_BOUNDS.line },
  issue: (value) => integerIssue(value, PIECES_BOUNDS.line.min, PIECES_BOUNDS.line.max),
};
const cents: MessageField = {
  optional: false,
  format: { kind: 'integer', min: 1, max: MAX_CENTS },
  issue: (value) => integerIssue(value, 1, MAX_CENTS),
};
/** The same field, of which some values are refused. */
const withExclusion = (field: MessageField, isRefused: (value: string) => boolean, message: string): MessageField => ({
  ...field,
  issue: (value) => field.issue(value) ?? (isRefused(String(value)) ? message : null),
});
/** The same field for something new, which URLs name by it. */
const usableInUrls = (field: MessageField): MessageField =>
  withExclusion(field, (value) => value === '.' || value === '..', 'must not be "." or "..", because ids are part of URLs');
/** An id of the sender's own, for something new. */
export const NEW_ID: MessageField = usableInUrls(machineText(100));
/** A scanner's text goes into whatever field has the focus, so a job sheet's number must not tell the client of a parcel. */
const noOrderNumber = (field: MessageField): MessageField =>
  withExclusion(
    field,
    isOrderNumber,
    "must be the carrier's tracking number, not an order number; scan the carrier's label, or type the number below its barcode",
  );
const senderId = withExclusion(
  machineText(200),
  (value) => RESERVED_PREFIXES.some((prefix) => value.startsWith(prefix)),
  `must not begin with ${RESERVED_PREFIXES.join(', ')}: the service reserves these prefixes`,
);

/** The fields of each kind of message, the same for signals and for the studio API (studio API "Endpoints", ruling 45). */
export const MILESTONE_FIELDS = { milestoneId: usableInUrls(senderId), note: optionalText(2000), occurredAt: time } as const;
/** Of a parcel that is sent without an id, and takes its tracking number for one. */
export const TRACKING_NUMBER_AS_ID = noOrderNumber(NEW_ID);

/** What milestones of one type have besides. */
const DETAILS_BY_MILESTONE: Partial<Record<MilestoneType, Fields>> = {
  held: { reason: { ...optionalText(500), isOmittedIfAbsent: true } },
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
export const EXISTING_PARCEL_ID = machineText(100);
export const PARCEL_FIELDS = {
  parcelId: NEW_ID,
  trackingNumber: noOrderNumber(machineText(200)),
  carrier: optionalMachineText(100),
  trackingUrl: webUrl,
  shippedAt: time,
  lines: pieces,
} as const;
/** Of any payment there may be, a share of one on account too. */
export const EXISTING_PAYMENT_ID = machineText(100);
const paymentId = withExclusion(
  NEW_ID,
  (value) => value.startsWith(ACCOUNT_PAYMENT_PREFIX),
  `must not begin with ${ACCOUNT_PAYMENT_PREFIX}: the prefix is reserved for payments on account`,
);
export const PAYMENT_FIELDS = { paymentId, amountCents: cents, receivedAt: time, reference: optionalMachineText(500) } as const;

export const CREDIT_NOTE_FIELDS = {
  creditNoteId: withExclusion(
    NEW_ID,
    (value) => value === CANCEL_CREDIT_NOTE_ID,
    `must not be ${CANCEL_CREDIT_NOTE_ID}: the service reserves this id`,
  ),
  amountCents: cents,
  reason: text(500),
} as const satisfies Record<string, MessageField>;

/** Of any credit note there may be, the service's own too. */
export const EXISTING_CREDIT_NOTE_ID = machineText(100);
/** Of a refund as well. */
export const REVERSAL_FIELDS = { reversalId: machineText(100), reason: text(500) } as const;

export const CORRECTION_FIELDS = { corrects: machineText(200), reason: text(2000) } as const;

const OPTIONAL_MILESTONE_FIELDS = { ...MILESTONE_FIELDS, milestoneId: { ...senderId, optional: true } };
/** A parcel or payment has an id of its own, so a `milestoneId` is optional there, and kept where one was sent (ruling 45). */
const FIELDS_BY_TYPE: Readonly<Record<Exclude<OrderMessageType, MilestoneType>, Fields>> = {
  parcel_added: { ...OPTIONAL_MILESTONE_FIELDS, ...PARCEL_FIELDS },
  parcel_voided: { ...OPTIONAL_MILESTONE_FIELDS, parcelId: EXISTING_PARCEL_ID },
  payment_recorded: { ...OPTIONAL_MILESTONE_FIELDS, ...PAYMENT_FIELDS },
  payment_reversed: { ...OPTIONAL_MILESTONE_FIELDS, paymentId: EXISTING_PAYMENT_ID },
  credit_noted: { ...OPTIONAL_MILESTONE_FIELDS, ...CREDIT_NOTE_FIELDS },
  credit_note_reversed: { ...OPTIONAL_MILESTONE_FIELDS, creditNoteId: EXISTING_CREDIT_NOTE_ID, ...REVERSAL_FIELDS },
  corrected: CORRECTION_FIELDS,
  artwork_replaced: { replacementId: machineText(100), line: LINE_FIELD, uploadId: machineText(100) },
  changed: { changeId: machineText(100) },
};
/** Types that only the service sends, with the credential that seals them. */
const SEAL_BY_TYPE = {
  credit_noted: 'tok',
  credit_note_reversed: 'tok',
  corrected: 'tok',
  changed: 'key',
  artwork_replaced: 'key',
} as const;
const requiredSeal = (type: unknown): 'tok' | 'key' | null =>
  typeof type === 'string' && Object.hasOwn(SEAL_BY_TYPE, type) ? SEAL_BY_TYPE[type as keyof typeof SEAL_BY_TYPE] : null;

/**
 * Why a message is refused that lacks the seal of its type or id; null where it has it. Comes after `attributed`, which removes wrong seals
 * and makes a message by an account's key the account's.
 */
export function findForgery({ type, milestoneId, tokenId, actor }: OrderMessage): string | null {
  const isToken = isIdentifier('tok', tokenId ?? '');
  const isAccount = actor === 'account';
  if (milestoneId?.startsWith(ADVANCE_ID_PREFIX) && !isAccount)
    return `ids that begin with ${ADVANCE_ID_PREFIX} are reserved for the service`;
  if (requiredSeal(type) === 'tok' && !isToken) return `only the studio API can send ${type}`;
  if (requiredSeal(type) === 'key' && !isAccount) return `only the trade API can send ${type}`;
  return null;
}

type WithoutDerivedId<M> = M extends { type: 'corrected' } ? Omit<M, 'milestoneId'> : M;
/** A message that was judged. The id of a correction follows from the milestone that it takes back. */
export type ValidMessage = WithoutDerivedId<OrderMessage>;

type ReadResult = { message: OrderMessage } | { issues: ValidationIssue[] };

/** Judges and reads a message from outside: a signal may carry anything, whatever SDK sent it. */
export function readOrderMessage(input: unknown): ReadResult {
  const issues = messageIssues(input);
  return issues.length > 0 ? { issues } : { message: toOrderMessage(input as ValidMessage) };
}

export function messageIssues(input: unknown): ValidationIssue[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return [{ path: '', message: 'the payload must be an object { milestoneId, type, … }' }];
  const payload = input as Record<string, unknown>;
  const fields = fieldsFor(payload);
  return [
    ...(fields === null ? [{ path: 'type', message: typeIssue(payload.type) }] : []),
    ...Object.entries(fields ?? MILESTONE_FIELDS).flatMap(([path, field]) => issuesOf(path, field, ownProperty(payload, path))),
  ];
}

/** The same of a milestone whose sender means every field: one of another milestone's is an issue too. */
export function milestoneIssues(payload: { type: MilestoneType } & Record<string, unknown>): ValidationIssue[] {
  const ownFields = fieldsOf(payload.type) ?? {};
  const foreignFields = Object.keys(ANY_MILESTONE_FIELDS).filter((name) => !Object.hasOwn(ownFields, name) && !isAbsent(payload[name]));
  return [
    ...messageIssues(payload),
    ...foreignFields.map((path) => ({ path, message: `is not a field of the milestone ${payload.type}` })),
  ];
}

/** The message in the one form that is compared and stored. Unknown fields are dropped. */
export function toOrderMessage(valid: ValidMessage): OrderMessage {
  const payload = valid as unknown as Record<string, unknown>;
  const fields = Object.entries(fieldsOf(valid.type) ?? {});
  const sentFields = fields.filter(([name, field]) => field.isOmittedIfAbsent !== true || !isAbsent(ownProperty(payload, name)));
  const values = sentFields.map(([name, field]) => [name, readField(field, ownProperty(payload, name))]);
  const derivedId = valid.type === 'corrected' ? { milestoneId: CORRECTION_ID_PREFIX + valid.corrects } : {};
  return { type: valid.type, ...derivedId, ...Object.fromEntries(values), ...senderFields(payload) } as OrderMessage;
}

function typeIssue(type: unknown): string {
  if (type === 'corrected') return 'corrected is available only as POST /orders/{id}/milestones/{milestoneId}/correct of the studio API';
  const otherTypes = Object.keys(FIELDS_BY_TYPE).filter((other) => requiredSeal(other) === null);
  return `must be one of ${[...MILESTONE_TYPES, ...otherTypes].join(', ')}`;
}

function fieldsOf(type: unknown): Fields | null {
  if (isMilestoneType(type)) return { ...MILESTONE_FIELDS, ...DETAILS_BY_MILESTONE[type] };
  return typeof type === 'string' && Object.hasOwn(FIELDS_BY_TYPE, type) ? FIELDS_BY_TYPE[type as keyof typeof FIELDS_BY_TYPE] : null;
}

/** The fields that this sender may send; null where the type is unknown or another's. */
function fieldsFor(payload: Record<string, unknown>): Fields | null {
  const { type } = payload;
  const seal = requiredSeal(type);
  if (seal !== null && !claimsSeal(seal, payload)) return null;
  const fields = fieldsOf(type);
  return fields !== null && isMilestoneType(type) && isAdvance(payload) ? { ...fields, milestoneId: machineText(200) } : fields;
}

function isAdvance(payload: Record<string, unknown>): boolean {
  const { milestoneId } = payload;
  return typeof milestoneId === 'string' && milestoneId.startsWith(ADVANCE_ID_PREFIX) && claimsSeal('key', payload);
}

/** Claims to come from an account's key, or a token of the studio; whether its seal is good is judged where it is stored. */
function claimsSeal(prefix: 'key' | 'tok', { tokenId, seal }: Record<string, unknown>): boolean {
  return typeof tokenId === 'string' && isIdentifier(prefix, tokenId) && typeof seal === 'string';
}

const ownProperty = (payload: Record<string, unknown>, name: string): unknown => (Object.hasOwn(payload, name) ? payload[name] : undefined);
const isAbsent = (value: unknown): boolean => value === undefined || value === null;

function issuesOf(path: string, field: MessageField, value: unknown): ValidationIssue[] {
  const message = field.optional && isAbsent(value) ? null : field.issue(value);
  return message === null ? [] : [{ path, message }];
}

/** A judged value in the one form that is compared and stored: null where it is absent or empty, a time in UTC. */
export function readField(field: MessageField, value: unknown): unknown {
  if (isAbsent(value)) return null;
  return field.normalize === undefined ? value : field.normalize(value);
}

/** Who sent it: the studio API gives token and request, with a seal that proves it. From anybody else this is no more than a claim. */
function senderFields({ actor, tokenId, requestId, seal }: Record<string, unknown>) {
  const claims = { actor, tokenId, requestId, seal };
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => machineTextIssue(value, 1, 200) === null));
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
const MESSAGE_RULES = {
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
type MessageRules = typeof MESSAGE_RULES;
type MoneyType = { [Type in keyof MessageRules]: MessageRules[Type]['movesMoney'] extends true ? Type : never }[keyof MessageRules];
const hasMessageRules = (type: OrderMessageType): type is keyof MessageRules => Object.hasOwn(MESSAGE_RULES, type);
export type MoneyMessage = OrderMessage & { type: MoneyType };
export const MESSAGE_TYPES = [...new Set([...MILESTONE_TYPES, ...Object.keys(MESSAGE_RULES)])] as OrderMessageType[];

/** Changes what the account owes or has, so that its row is locked before the order's (ruling 54). */
export const movesMoney = (message: OrderMessage): message is MoneyMessage =>
  hasMessageRules(message.type) && MESSAGE_RULES[message.type].movesMoney;

/** At most this many of each kind below are applied to one order, and as many refusals kept in its timeline. */
export const MAX_PER_KIND = 200;

/** The types that count together with this one, and their name; null: not counted. Cancels count alone: only the first has an effect. */
export function findLimitGroup(type: OrderMessageType): { types: readonly OrderMessageType[]; called: string } | null {
  if (!hasMessageRules(type)) return { types: MILESTONE_TYPES.filter((one) => one !== 'cancelled'), called: 'milestones' };
  const called = MESSAGE_RULES[type].counted;
  return called === null ? null : { types: [type], called };
}

/** Why a message that was applied and then taken back is not applied again. */
export function alreadyReversedReason({ type }: OrderMessage): string {
  switch (type) {
    case 'parcel_added':
      return 'the label of this parcel was voided; send a new parcel id';
    case 'payment_recorded':
      return 'this payment was reversed; send a new payment id';
    case 'credit_noted':
      return 'this credit note was reversed; send a new credit note id';
    default:
      return 'this milestone was corrected; send a new milestoneId';
  }
}

export const limitReason = (label: string): string =>
  `this order already has the maximum of ${MAX_PER_KIND} ${label}` +
  (label === 'cancels' ? '' : '; you can still cancel it, void parcels, and reverse payments and credit notes');
