import { Anchor, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { LinkProps } from '@tanstack/react-router';
import type { Schema } from '../../api/studio';
import { errorWords, hostOf } from '../../endpoints/words';
import { formatAmount } from '../../shared/amount';
import { ownValue } from '../../shared/own-value';
import { piecesOfLine } from '../../shared/progress';
import { personName, statusLabel } from '../../shared/words';
import { TextLink } from '../../shared/text-link';
import { Time } from '../../shared/time';
import { fieldWords } from './words';

type Entry = Schema<'AuditEntry'>;

export function ShortId({ id }: { id: string }) {
  return (
    <span className="mono quiet short" title={id}>
      {id}
    </span>
  );
}

/** The object of an entry by its name, with a link to it. */
export function Subject({ entry: { subject, subjectName, before, after, action } }: { entry: Entry }) {
  const [kind = ''] = subject.split(/[_/]/);
  const slash = subject.indexOf('/');
  const [section, id] = [subject.slice(0, slash), subject.slice(slash + 1)];
  const account = (after ?? before)?.accountId;
  const named = (prefix: string, name = subjectName): string => (name === null ? prefix : `${prefix} ${name}`);
  const targets: Readonly<Record<string, [name: string, link?: Pick<LinkProps, 'to' | 'params' | 'search'>]>> = {
    ord: [subjectName ?? 'Order', { to: '/orders/$order', params: { order: subject } }],
    acc: [named('Account'), { to: '/accounts/$account', params: { account: subject } }],
    dlv: [named('Webhook'), { to: '/deliveries/$delivery', params: { delivery: subject } }],
    whe: [named('Endpoint', subjectName && hostOf(subjectName)), { to: '/deliveries', search: { endpoint: subject } }],
    key: [
      named('API key'),
      typeof account === 'string' ? { to: '/accounts/$account', params: { account }, search: { tab: 'keys' } } : undefined,
    ],
    tok: [named('Token', subjectName && personName(subjectName)), { to: '/settings' }],
    'price-book': [`Price book ${id}`, { to: '/prices', search: { book: id } }],
    settings: ['Settings', { to: '/settings' }],
    catalogue: [subjectName ?? id, { to: '/catalogue', search: { section, q: id } }],
  };
  const [name, link] = ownValue(targets, action.startsWith('catalogue.') ? 'catalogue' : kind) ?? [subject];
  if (link === undefined) return <span title={subject}>{name}</span>;
  return (
    <TextLink {...link} size="sm" title={subject}>
      {name}
    </TextLink>
  );
}

function changesOf({ before, after }: Entry) {
  const [old, current] = [flatten(before), flatten(after)];
  const fields = [...new Set([...old.keys(), ...current.keys()])];
  return fields
    .map((field) => ({ field, before: old.get(field), after: current.get(field) }))
    .filter((change) => !isSame(change.before, change.after));
}

function isSame(before: unknown, after: unknown): boolean {
  return (isEmpty(before) && isEmpty(after)) || JSON.stringify(before) === JSON.stringify(after);
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The fields of nested records by their path: `facts.printed`. */
function flatten(record: Readonly<Record<string, unknown>> | null, above = ''): Map<string, unknown> {
  const fields = Object.entries(record ?? {}).flatMap(([name, value]): [string, unknown][] =>
    isRecord(value) ? [...flatten(value, `${above}${name}.`)] : [[`${above}${name}`, value]],
  );
  return new Map(fields);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const SHOWN = 2;

export function Changes({ entry }: { entry: Entry }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const changes = changesOf(entry);
  if (changes.length === 0) return null;
  return (
    <Stack gap={0} align="start" fz="xs" ta="left" className="anywhere" style={{ whiteSpace: 'normal' }}>
      {(isOpen ? changes : changes.slice(0, SHOWN)).map(({ field, before, after }) => (
        <span key={field}>
          <Text span inherit c="dimmed" title={field}>
            {fieldWords(field)}
          </Text>{' '}
          {!isEmpty(before) && (
            <>
              <Value field={field} of={before} /> →{' '}
            </>
          )}
          <Value field={field} of={after} />
        </span>
      ))}
      {changes.length > SHOWN && (
        <Anchor component="button" size="xs" onClick={toggle} aria-expanded={isOpen}>
          {isOpen ? 'Show less' : `Show all ${changes.length}`}
        </Anchor>
      )}
    </Stack>
  );
}

/** Fields with values such as `in_production`. */
const STATES = /(status|state|type|role|needed|environment)$/i;

/** Formats a value by the name of its field. */
function Value({ field, of: value }: { field: string; of: unknown }) {
  if (isEmpty(value)) return <>–</>;
  if (typeof value === 'boolean') return <>{value ? 'Yes' : 'No'}</>;
  if (typeof value === 'number') return <span className="money">{numberWords(field, value)}</span>;
  if (typeof value === 'string') return <Words field={field} of={value} />;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return <>{value.join(', ')}</>;
  if (Array.isArray(value) && value.length > 0 && value.every(isQuantity))
    return <>{value.map(({ line, quantity }) => piecesOfLine(quantity, line)).join(', ')}</>;
  return <span className="mono">{JSON.stringify(value)}</span>;
}

function isQuantity(value: unknown): value is { line: number; quantity: number } {
  return isRecord(value) && 'line' in value && 'quantity' in value && Object.keys(value).length === 2;
}

function Words({ field, of: text }: { field: string; of: string }) {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text)) return <Time at={text} />;
  if (/^[a-z]{2,5}_[0-9a-f]{8,}$/.test(text)) return <ShortId id={text} />;
  if (field.endsWith('errorCode')) return <>{errorWords(text)}</>;
  return <>{STATES.test(field) ? statusLabel(text) : text}</>;
}

function numberWords(field: string, value: number): string {
  if (field.endsWith('Cents')) return formatAmount(value);
  if (field.endsWith('Bps')) return `${formatAmount(value)}%`;
  return value.toLocaleString('en-AU');
}
