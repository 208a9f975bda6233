import { type ValidationIssue } from './errors';
import { MILESTONE_TYPES, type MilestoneType, type OrderMessage } from './order-message-types';
import {
  MILESTONE_FIELDS,
  fieldsOf,
  ANY_MILESTONE_FIELDS,
  isAbsent,
  readField,
  CORRECTION_ID_PREFIX,
  FIELDS_BY_TYPE,
  type MessageField,
} from './message-fields';

type WithoutDerivedId<M> = M extends { type: 'corrected' } ? Omit<M, 'milestoneId'> : M;
/** A validated message. A correction has no id of its own: its id derives from the milestone that it undoes. */
export type ValidMessage = WithoutDerivedId<OrderMessage>;

type ReadResult = { message: OrderMessage } | { issues: ValidationIssue[] };

/** Types that only the APIs send. */
const API_TYPES: readonly string[] = ['credit_noted', 'credit_note_reversed', 'corrected', 'changed', 'artwork_replaced'];
const isApiType = (type: unknown): boolean => API_TYPES.some((one) => one === type);

/** Validates and reads a signal's payload, which may contain any data. */
export function readOrderMessage(input: unknown): ReadResult {
  const issues = messageIssues(input);
  return issues.length > 0 ? { issues } : { message: toOrderMessage(input as ValidMessage) };
}

export function messageIssues(input: unknown): ValidationIssue[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return [{ path: '', message: 'the payload must be an object { milestoneId, type, … }' }];
  const payload = input as Record<string, unknown>;
  const fields = isApiType(payload.type) ? null : fieldsOf(payload.type);
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
  return { type: valid.type, ...derivedId, ...Object.fromEntries(values) } as OrderMessage;
}

function typeIssue(type: unknown): string {
  if (type === 'corrected') return 'corrected is available only as POST /orders/{id}/milestones/{milestoneId}/correct of the studio API';
  const otherTypes = Object.keys(FIELDS_BY_TYPE).filter((other) => !isApiType(other));
  return `must be one of ${[...MILESTONE_TYPES, ...otherTypes].join(', ')}`;
}

const ownProperty = (payload: Record<string, unknown>, name: string): unknown => (Object.hasOwn(payload, name) ? payload[name] : undefined);

function issuesOf(path: string, field: MessageField, value: unknown): ValidationIssue[] {
  const message = field.optional && isAbsent(value) ? null : field.issue(value);
  return message === null ? [] : [{ path, message }];
}

export function describeIssues(issues: readonly ValidationIssue[]): string {
  return issues.map(({ path, message }) => (path === '' ? message : `${path} ${message}`)).join('; ');
}
