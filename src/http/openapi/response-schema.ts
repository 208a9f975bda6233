import type Joi from 'joi';
import * as json from './json';
import type { FieldKind } from '../schemas/field-kinds';

interface DescribedField {
  type: string;
  flags?: { description?: string };
  allow?: unknown[];
  metas?: FieldKind[];
}

/** The schema of a request's field in responses. Enums are open, and limits of length and value do not apply. */
export function responseSchemaOf(field: Joi.Schema): json.JsonSchema {
  const { type, flags, allow = [], metas = [] } = field.describe() as DescribedField;
  const schema = type === 'array' ? json.list(json.string(), flags?.description) : schemaOfKind(metas.at(-1), flags?.description);
  return allow.includes(null) ? json.nullable(schema) : schema;
}

function schemaOfKind(kind: FieldKind | undefined, description: string | undefined): json.JsonSchema {
  switch (kind?.kind) {
    case 'integer':
      return json.integer(description);
    case 'boolean':
      return json.boolean(description);
    case 'webUrl':
      return json.uri(description);
    case 'oneOf':
      return json.openEnum(kind.values, description);
    case 'like':
      return json.string(description, { pattern: kind.pattern });
    default:
      return json.string(description);
  }
}
