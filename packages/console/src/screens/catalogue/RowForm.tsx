import { Checkbox, Group, NativeSelect, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Issue } from '../../api/refusal';
import { nameOf, type Row, sectionQuery } from './rows';
import type { Field } from './sections';

/** What stands in a form: text as it was typed, `yes` as true or false, tiers as a list or null for all of them. */
type Typed = Readonly<Record<string, string | boolean | readonly string[] | null>>;

export function typedOf(fields: readonly Field[], row?: Row): Typed {
  return Object.fromEntries(fields.map((field) => [field.name, typed(field, row?.[field.name])]));
}

function typed({ kind, choices }: Field, value: Row[string] | undefined): Typed[string] {
  switch (kind) {
    case 'yes':
      return value === true;
    case 'tiers':
      return Array.isArray(value) ? value.map(String) : null;
    case 'json':
      return value === undefined ? '' : JSON.stringify(value);
    default:
      return value === undefined || value === null ? (choices?.[0] ?? '') : String(value);
  }
}

/** The row that a form makes. What cannot be read is sent as it was typed, and the API says what would do. */
export function rowOf(fields: readonly Field[], form: Typed): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map((field) => [field.name, valueOf(field, form[field.name] ?? '')]));
}

function valueOf({ kind, optional }: Field, value: NonNullable<Typed[string]> | null): unknown {
  if (typeof value !== 'string') return value;
  const text = kind === 'long' ? value : value.trim();
  if (text === '' && optional) return null;
  if (kind === 'whole') return /^\d+$/.test(text) ? Number(text) : text;
  if (kind === 'json') return parsed(text);
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface RowFormProps {
  fields: readonly Field[];
  form: Typed;
  change: (form: Typed) => void;
  issues: readonly Issue[];
  /** The id of a row that is there cannot be changed. */
  isNew: boolean;
}

export function RowForm({ fields, form, change, issues, isNew }: RowFormProps) {
  return (
    <Stack gap="sm">
      {fields
        .filter(({ kind }) => isNew || kind !== 'id')
        .map((field) => (
          <Input
            key={field.name}
            field={field}
            value={form[field.name] ?? null}
            set={(value) => change({ ...form, [field.name]: value })}
            error={issues.filter(({ path }) => path.split('.')[0] === field.name).map(({ message }) => message)}
          />
        ))}
    </Stack>
  );
}

interface InputProps {
  field: Field;
  value: Typed[string];
  set: (value: Typed[string]) => void;
  error: readonly string[];
}

function Input({ field, value, set, error }: InputProps) {
  const { label, kind, help, optional, choices = [] } = field;
  const said = error.length > 0 ? error.join('; ') : undefined;
  const shared = { label, description: help, error: said, required: !optional };
  const text = typeof value === 'string' ? value : '';
  switch (kind) {
    case 'yes':
      return <Switch label={label} error={said} checked={value === true} onChange={(event) => set(event.currentTarget.checked)} />;
    case 'choice':
      return <NativeSelect {...shared} data={[...choices]} value={text} onChange={(event) => set(event.currentTarget.value)} />;
    case 'tiers':
      return <Tiers label={label} error={said} value={Array.isArray(value) ? (value as string[]) : null} set={set} />;
    case 'long':
    case 'json':
      return <Textarea {...shared} value={text} onChange={(event) => set(event.currentTarget.value)} />;
    default:
      return (
        <TextInput
          {...shared}
          inputMode={kind === 'whole' ? 'numeric' : 'text'}
          value={text}
          onChange={(event) => set(event.currentTarget.value)}
          rightSection={kind === 'colour' ? <Swatch colour={text} /> : undefined}
        />
      );
  }
}

interface TiersProps {
  label: string;
  error: string | undefined;
  value: string[] | null;
  set: (value: readonly string[] | null) => void;
}

/** Which tiers a material may be chosen in: all of them, also those to come, unless some are named. */
function Tiers({ label, error, value, set }: TiersProps) {
  const { data: tiers = [] } = useQuery(sectionQuery('qualityTiers'));
  return (
    <Stack gap="xs">
      <Switch
        label={`${label}: all, also those to come`}
        checked={value === null}
        onChange={(event) => set(event.currentTarget.checked ? null : tiers.map(({ id }) => String(id)))}
      />
      {value !== null && (
        <Checkbox.Group label={label} description="In none, it fits no frame." error={error} value={value} onChange={set}>
          <Group mt="xs">
            {tiers.map((tier) => (
              <Checkbox key={String(tier.id)} value={String(tier.id)} label={nameOf('qualityTiers', tier)} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    </Stack>
  );
}

export function Swatch({ colour }: { colour: string }) {
  if (!/^#[0-9A-Fa-f]{6}$/.test(colour)) return null;
  return (
    <svg width="16" height="16" aria-hidden="true">
      <rect width="16" height="16" rx="3" fill={colour} stroke="currentColor" strokeOpacity="0.4" />
    </svg>
  );
}
