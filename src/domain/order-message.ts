import { type ValidationIssue } from './errors';
import { singleLineTextIssue } from './field-formats';
import { isMilestoneType, MILESTONE_TYPES, type MilestoneType, type OrderMessage } from './order-message-types';
import {
  MILESTONE_FIELDS,
  fieldsOf,
  ANY_MILESTONE_FIELDS,
  isAbsent,
  readField,
  CORRECTION_ID_PREFIX,
  FIELDS_BY_TYPE,
  type Fields,
  singleLineText,
  type MessageField,
} from './message-fields';
import { requiredSeal, claimsSeal, isAdvance } from './message-seal';

type WithoutDerivedId<M> = M extends { type: 'corrected' } ? Omit<M, 'milestoneId'> : M;
/** A validated message. A correction has no id of its own: its id derives from the milestone that it undoes. */
export type ValidMessage = WithoutDerivedId<OrderMessage>;

type ReadResult = { message: OrderMessage } | { issues: ValidationIssue[] };

/** Validates and reads a message that may contain any data, such as a signal's payload. */
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

/** Returns the issues of a milestone. Fields of other milestone types are also issues. */
export function milestoneIssues(payload: { type: MilestoneType } & Record<string, unknown>): ValidationIssue[] {
  const ownFields = fieldsOf(payload.type) ?? {};
  const foreignFields = Object.keys(ANY_MILESTONE_FIELDS).filter((name) => !Object.hasOwn(ownFields, name) && !isAbsent(payload[name]));
  return [
    ...messageIssues(payload),
    ...foreignFields.map((path) => ({ path, message: `is not a field of the milestone ${payload.type}` })),
  ];
}

/** Converts a valid message to the form that is compared and stored. Drops unknown fields. */
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

/** The fields that this sender may send; null if the type is unknown or reserved for other senders. */
function fieldsFor(payload: Record<string, unknown>): Fields | null {
  const { type } = payload;
  const seal = requiredSeal(type);
  if (seal !== null && !claimsSeal(seal, payload)) return null;
  const fields = fieldsOf(type);
  return fields !== null && isMilestoneType(type) && isAdvance(payload) ? { ...fields, milestoneId: singleLineText(200) } : fields;
}

const ownProperty = (payload: Record<string, unknown>, name: string): unknown => (Object.hasOwn(payload, name) ? payload[name] : undefined);

function issuesOf(path: string, field: MessageField, value: unknown): ValidationIssue[] {
  const message = field.optional && isAbsent(value) ? null : field.issue(value);
  return message === null ? [] : [{ path, message }];
}

/** Reads the sender's fields. The APIs add token and request ids with a seal as proof. Without a valid seal they are unproven. */
function senderFields({ actor, tokenId, requestId, traceparent, seal }: Record<string, unknown>) {
  const claims = { actor, tokenId, requestId, traceparent, seal };
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => singleLineTextIssue(value, 1, 200) === null));
}

export function describeIssues(issues: readonly ValidationIssue[]): string {
  return issues.map(({ path, message }) => (path === '' ? message : `${path} ${message}`)).join('; ');
}
