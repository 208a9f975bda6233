import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type LinkProps } from '@tanstack/react-router';
import type { Of } from '../../api/types';
import { errorWords } from '../../endpoints/words';
import { wordsOf } from '../../shared/status';
import { When } from '../../shared/when';
import { fieldWords } from './words';
import { To } from '../../shared/to';

export function ShortId({ id }: { id: string }) {
  return (
    <span className="mono quiet short" title={id}>
      {id}
    </span>
  );
}

interface Place {
  what: string;
  to?: Pick<LinkProps, 'to' | 'params' | 'search'>;
}

export function Subject({ entry }: { entry: Of<'AuditEntry'> }) {
  const { what, to } = placeOf(entry);
  return (
    <Stack gap={0}>
      {to === undefined ? (
        <span>{what}</span>
      ) : (
        <To {...to} size="sm">
          {what}
        </To>
      )}
      {what !== entry.subject && <ShortId id={entry.subject} />}
    </Stack>
  );
}

function placeOf({ subject, before, after, action }: Of<'AuditEntry'>): Place {
  const [kind] = subject.split(/[_/]/, 1);
  switch (kind) {
    case 'ord':
      return { what: 'Order', to: { to: '/orders/$order', params: { order: subject } } };
    case 'acc':
      return { what: 'Account', to: { to: '/accounts/$account', params: { account: subject } } };
    case 'dlv':
      return { what: 'Delivery', to: { to: '/deliveries/$delivery', params: { delivery: subject } } };
    case 'whe':
      return { what: 'Endpoint', to: { to: '/deliveries', search: { endpoint: subject } } };
    case 'key':
      return { what: 'API key', ...accountOf(after ?? before) };
    case 'tok':
      return { what: 'Token', to: { to: '/settings' } };
    case 'price-book':
      return { what: `Price book ${subject.slice(subject.indexOf('/') + 1)}`, to: { to: '/prices' } };
    case 'settings':
      return { what: 'Settings', to: { to: '/settings' } };
    default:
      return action.startsWith('catalogue.') ? { what: 'Catalogue', to: { to: '/catalogue' } } : { what: subject };
  }
}

function accountOf(record: Of<'AuditEntry'>['after']): Pick<Place, 'to'> {
  const id = record?.accountId;
  return typeof id === 'string' ? { to: { to: '/accounts/$account', params: { account: id } } } : {};
}

interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

type Side = Readonly<Record<string, unknown>> | null;

/** What differs between before and after, field by field. What was made, and had no before, has what it was made with. */
function changesOf(before: Side, after: Side): Change[] {
  const [was, is] = [flat(before), flat(after)];
  const fields = [...new Set([...was.keys(), ...is.keys()])];
  return fields
    .map((field) => ({ field, before: was.get(field), after: is.get(field) }))
    .filter((change) => !isSame(change.before, change.after));
}

/** Nothing, null and an empty list say the same: that there is none. */
function isSame(before: unknown, after: unknown): boolean {
  if (isNone(before) && isNone(after)) return true;
  return JSON.stringify(before) === JSON.stringify(after);
}

const isNone = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Records within the record have their fields beside its own: `facts.printed`. */
function flat(side: Side, within = ''): Map<string, unknown> {
  const fields = Object.entries(side ?? {}).flatMap(([name, value]): [string, unknown][] =>
    isRecord(value) ? [...flat(value, `${within}${name}.`)] : [[`${within}${name}`, value]],
  );
  return new Map(fields);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const SHOWN = 4;

export function Changes({ entry: { before, after } }: { entry: Of<'AuditEntry'> }) {
  const [all, { toggle }] = useDisclosure(false);
  const changes = changesOf(before, after);
  if (changes.length === 0) return <Text size="sm">Nothing but that it was done</Text>;
  const isNew = before === null;
  return (
    <div>
      <Stack gap={2} ta="left" fz="xs" className="changes anywhere" role="table" aria-label="What changed">
        <SimpleGrid cols={isNew ? 2 : 3} spacing="sm" fw={600} role="row">
          {['Field', ...(isNew ? [] : ['Before']), isNew ? 'With' : 'After'].map((heading) => (
            <span key={heading} role="columnheader">
              {heading}
            </span>
          ))}
        </SimpleGrid>
        {(all ? changes : changes.slice(0, SHOWN)).map((change) => (
          <Row key={change.field} change={change} isNew={isNew} />
        ))}
      </Stack>
      {changes.length > SHOWN && (
        <Anchor component="button" size="xs" onClick={toggle} aria-expanded={all}>
          {all ? 'Show less' : `Show all ${changes.length}`}
        </Anchor>
      )}
    </div>
  );
}

function Row({ change: { field, before, after }, isNew }: { change: Change; isNew: boolean }) {
  return (
    <SimpleGrid cols={isNew ? 2 : 3} spacing="sm" role="row">
      <span role="rowheader" title={field}>
        {fieldWords(field)}
      </span>
      {!isNew && (
        <span role="cell">
          <Value field={field} of={before} />
        </span>
      )}
      <span role="cell">
        <Value field={field} of={after} />
      </span>
    </SimpleGrid>
  );
}

/** Fields whose values are one of a few, such as `in_production`. */
const STATES = /(status|state|type|role|needed|environment)$/i;

/** A value of the audit log, by what its field's name says it is: cents as an amount, hundredths of a per cent, a time, yes or no. */
function Value({ field, of: value }: { field: string; of: unknown }) {
  if (isNone(value)) return <>–</>;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (typeof value === 'number') return <span className="money">{numberWords(field, value)}</span>;
  if (typeof value === 'string') return <Words field={field} of={value} />;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return <>{value.join(', ')}</>;
  if (Array.isArray(value) && value.length > 0 && value.every(isPieces)) return <>{value.map(piecesInWords).join(', ')}</>;
  return <span className="mono">{JSON.stringify(value)}</span>;
}

interface Pieces {
  line: number;
  quantity: number;
}

/** Of a parcel or a remake; people count lines from one. */
function isPieces(value: unknown): value is Pieces {
  return typeof value === 'object' && value !== null && 'line' in value && 'quantity' in value && Object.keys(value).length === 2;
}
const piecesInWords = ({ line, quantity }: Pieces): string => `${quantity} of line ${line + 1}`;

function Words({ field, of: text }: { field: string; of: string }) {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text)) return <When at={text} />;
  if (/^[a-z]{2,5}_[0-9a-f]{8,}$/.test(text)) return <ShortId id={text} />;
  if (field.endsWith('errorCode')) return <>{errorWords(text)}</>;
  return <>{STATES.test(field) ? wordsOf(text) : text}</>;
}

function numberWords(field: string, value: number): string {
  const hundredths = new Intl.NumberFormat('en-AU', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  if (field.endsWith('Cents')) return hundredths.format(value / 100);
  if (field.endsWith('Bps')) return `${hundredths.format(value / 100)} %`;
  return value.toLocaleString('en-AU');
}
