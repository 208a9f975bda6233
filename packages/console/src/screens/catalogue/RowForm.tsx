import { Checkbox, ColorInput, Group, NativeSelect, NumberInput, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { Issue } from '../../api/refusal';
import { WHOLE } from '../../shared/number-input';
import { nameOf, type Row, sectionQuery } from './rows';
import type { Field } from './sections';

/** The values of the inputs. Null quality tiers are all. */
type Values = Record<string, string | number | boolean | readonly string[] | null>;

export const valuesOf = (fields: readonly Field[], row?: Row): Values =>
  Object.fromEntries(fields.map((field) => [field.name, inputValue(field, row?.[field.name])]));

function inputValue({ kind, choices }: Field, value: Row[string] | undefined): Values[string] {
  switch (kind) {
    case 'boolean':
      return value === true;
    case 'tiers':
      return Array.isArray(value) ? value.map(String) : null;
    default:
      return typeof value === 'number' ? value : String(value ?? choices?.[0] ?? '');
  }
}

/** The values of the fields for the API, which reports invalid ones. */
export const rowFrom = (fields: readonly Field[], values: Values): Readonly<Record<string, unknown>> =>
  Object.fromEntries(fields.map((field) => [field.name, apiValue(field, values[field.name] ?? null)]));

function apiValue({ kind, optional }: Field, value: Values[string]): unknown {
  if (typeof value !== 'string') return value;
  const text = kind === 'long' ? value : value.trim();
  return text === '' && optional ? null : text;
}

interface FormProps {
  form: UseFormReturnType<Values>;
}

export function RowForm({ fields, form, issues }: FormProps & { fields: readonly Field[]; issues: readonly Issue[] }) {
  return (
    <Stack gap="sm">
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          form={form}
          error={issues.find(({ path }) => path.split('.')[0] === field.name)?.message}
        />
      ))}
    </Stack>
  );
}

interface FieldInputProps extends FormProps {
  field: Field;
  error: string | undefined;
}

function FieldInput({ field, form, error }: FieldInputProps) {
  const { name, label, kind, help, optional, choices = [] } = field;
  const input = form.getInputProps(name, { type: kind === 'boolean' ? 'checkbox' : 'input' });
  const props = { label, description: help, required: !optional, ...input, error: error ?? input.error };
  switch (kind) {
    case 'boolean':
      return <Switch {...props} required={false} />;
    case 'choice':
      return <NativeSelect {...props} data={[...choices]} />;
    case 'tiers':
      return <Tiers field={field} form={form} error={error} />;
    case 'integer':
      return <NumberInput {...props} {...WHOLE} min={0} />;
    case 'colour':
      return <ColorInput {...props} withEyeDropper={false} onKeyDown={closeOnEscape} />;
    case 'long':
      return <Textarea {...props} />;
    default:
      return <TextInput {...props} />;
  }
}

/** The colors are shown while their field has the focus. */
const closeOnEscape = ({ key, currentTarget }: React.KeyboardEvent<HTMLInputElement>): void => {
  if (key === 'Escape') currentTarget.blur();
};

function Tiers({ field: { name, label }, form, error }: FieldInputProps) {
  const { data: tiers = [] } = useQuery(sectionQuery('qualityTiers'));
  const isAll = form.values[name] === null;
  return (
    <Stack gap="xs">
      <Switch
        label="All quality tiers, also new ones"
        checked={isAll}
        onChange={() => form.setFieldValue(name, isAll ? tiers.map(({ id }) => String(id)) : null)}
      />
      {!isAll && (
        <Checkbox.Group label={label} description="Without a tier, no frame can use it." {...form.getInputProps(name)} error={error}>
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
