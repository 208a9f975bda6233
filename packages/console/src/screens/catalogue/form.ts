import type { Row } from './rows';
import type { Field } from './sections';

/** What stands in a form: text as it was typed, `yes` as true or false, tiers as a list or null for all of them. */
export type Typed = Readonly<Record<string, string | boolean | readonly string[] | null>>;

/** A form of a row; of none, an empty one. */
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
