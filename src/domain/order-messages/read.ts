import type { ValidationIssue } from '../errors';
import { MESSAGE_KINDS, MESSAGE_TYPES, MILESTONE_TYPES, isMessageType, kindOf, type MilestoneType, type OrderMessage } from '.';
import { isAbsent, MILESTONE_FIELDS, readField, type Fields, type MessageField } from './fields';

type ReadResult = { message: OrderMessage } | { issues: ValidationIssue[] };

const SIGNAL_TYPES = MESSAGE_TYPES.filter((type) => MESSAGE_KINDS[type].isSignal);

/** The fields of a milestone of any type, for the schemas of the studio API. */
export const ANY_MILESTONE_FIELDS: Fields = {
  ...Object.fromEntries(
    MILESTONE_TYPES.flatMap((type) => Object.entries(MESSAGE_KINDS[type].fields)).map(([name, field]) => [
      name,
      { ...field, optional: true },
    ]),
  ),
  ...MILESTONE_FIELDS,
};

/** Validates and reads a signal's payload, which may contain any data. */
export function readSignal(input: unknown): ReadResult {
  const issues = [...messageIssues(input), ...nameIssues(input)];
  return issues.length > 0 ? { issues } : { message: toOrderMessage(input as OrderMessage) };
}

function nameIssues(input: unknown): ValidationIssue[] {
  const names = Object.keys((input ?? {}) as object).filter((name) => ANY_MILESTONE_FIELDS[name]?.isName === true);
  return names.map((path) => ({ path, message: 'must not be sent by signal, because Temporal stores no names; send it with the API' }));
}

/** The message as the workflow gets it: instead of a name it has the id of the row with the name. */
export function withNameReferences(message: OrderMessage, messageId: string): OrderMessage {
  const { fields } = kindOf(message);
  const values = Object.entries(message).map(([name, value]) => [name, fields[name]?.isName === true ? messageId : value]);
  return Object.fromEntries(values) as OrderMessage;
}

function messageIssues(input: unknown): ValidationIssue[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return [{ path: '', message: 'the payload must be an object { milestoneId, type, … }' }];
  const payload = input as Record<string, unknown>;
  const { type } = payload;
  const kind = isMessageType(type) && SIGNAL_TYPES.includes(type) ? MESSAGE_KINDS[type] : null;
  return [
    ...(kind === null ? [{ path: 'type', message: `must be one of ${SIGNAL_TYPES.join(', ')}` }] : []),
    ...Object.entries(kind?.fields ?? MILESTONE_FIELDS).flatMap(([path, field]) => issuesOf(path, field, ownProperty(payload, path))),
  ];
}

/** Returns the issues of a milestone. Fields of other milestone types are also issues. */
export function milestoneIssues(payload: { type: MilestoneType } & Record<string, unknown>): ValidationIssue[] {
  const { fields } = MESSAGE_KINDS[payload.type];
  const foreignFields = Object.keys(ANY_MILESTONE_FIELDS).filter((name) => !Object.hasOwn(fields, name) && !isAbsent(payload[name]));
  return [
    ...messageIssues(payload),
    ...foreignFields.map((path) => ({ path, message: `is not a field of the milestone ${payload.type}` })),
  ];
}

/** Converts a valid message to the form that is compared and stored. Drops unknown fields. */
export function toOrderMessage(valid: OrderMessage): OrderMessage {
  const payload = valid as unknown as Record<string, unknown>;
  const fields = Object.entries(kindOf(valid).fields);
  const sentFields = fields.filter(([name, field]) => field.isOmittedIfAbsent !== true || !isAbsent(ownProperty(payload, name)));
  const values = sentFields.map(([name, field]) => [name, readField(field, ownProperty(payload, name))]);
  return { type: valid.type, ...Object.fromEntries(values) } as OrderMessage;
}

const ownProperty = (payload: Record<string, unknown>, name: string): unknown => (Object.hasOwn(payload, name) ? payload[name] : undefined);

function issuesOf(path: string, field: MessageField, value: unknown): ValidationIssue[] {
  const message = field.optional && isAbsent(value) ? null : field.issue(value);
  return message === null ? [] : [{ path, message }];
}

export function describeIssues(issues: readonly ValidationIssue[]): string {
  return issues.map(({ path, message }) => (path === '' ? message : `${path} ${message}`)).join('; ');
}
