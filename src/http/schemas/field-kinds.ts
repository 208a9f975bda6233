import { RFC_3339, WEB_URL_PREFIX_PATTERN, NO_CONTROL_CHARACTERS_PATTERN } from '../../domain/field-formats';
import { LIMITS } from '../../domain/limits';
import { FORBIDDEN_KEYS } from '../../domain/metadata';

/** Describes a field's rule for the generated contract, because joi cannot describe rules that our functions check. */
export type FieldKind =
  | { kind: 'text' | 'singleLineText'; min: number; max: number }
  | { kind: 'url' | 'webUrl' | 'email' | 'timestamp' | 'dayOrTimestamp' | 'date' | 'boolean' | 'selections' | 'metadata' }
  | { kind: 'like'; pattern: string }
  | { kind: 'integer'; min: number; max: number }
  | { kind: 'oneOf'; values: readonly string[] };

/** A fragment of JSON Schema 2020-12. */
export type JsonSchema = Record<string, unknown>;

const string = (rest: JsonSchema): JsonSchema => ({ type: 'string', ...rest });

/** Text without U+0000, which PostgreSQL cannot store. */
export const STORABLE_PATTERN = '^[^\\u0000]*$';

/** Converts a kind to JSON Schema, whose lengths count code points too. */
export function jsonSchemaOfKind(kind: FieldKind): JsonSchema {
  switch (kind.kind) {
    case 'text':
    case 'singleLineText':
      return string({
        ...(kind.min > 0 ? { minLength: kind.min } : {}),
        ...(kind.max < Number.POSITIVE_INFINITY ? { maxLength: kind.max } : {}),
        pattern: kind.kind === 'singleLineText' ? NO_CONTROL_CHARACTERS_PATTERN : STORABLE_PATTERN,
      });
    case 'url':
      return string({ format: 'uri', minLength: 1, maxLength: LIMITS.urlLength });
    case 'webUrl':
      return string({ format: 'uri', pattern: WEB_URL_PREFIX_PATTERN, maxLength: LIMITS.urlLength });
    case 'email':
      return string({ format: 'email', minLength: 3, maxLength: LIMITS.emailLength });
    case 'timestamp':
      return string({ format: 'date-time', pattern: RFC_3339.source });
    case 'dayOrTimestamp':
      return { anyOf: [string({ format: 'date' }), string({ format: 'date-time', pattern: RFC_3339.source })] };
    case 'date':
      return string({ format: 'date' });
    case 'boolean':
      return { type: 'boolean' };
    case 'selections':
      return { type: 'object', additionalProperties: string({ pattern: STORABLE_PATTERN }) };
    case 'metadata':
      return {
        type: 'object',
        maxProperties: LIMITS.metadataEntries,
        propertyNames: {
          ...jsonSchemaOfKind({ kind: 'singleLineText', min: 1, max: LIMITS.metadataKeyLength }),
          not: { enum: [...FORBIDDEN_KEYS] },
        },
        additionalProperties: jsonSchemaOfKind({ kind: 'text', min: 0, max: LIMITS.metadataValueLength }),
      };
    case 'like':
      return string({ pattern: kind.pattern });
    case 'integer':
      return { type: 'integer', minimum: kind.min, maximum: kind.max };
    case 'oneOf':
      return string({ enum: [...kind.values] });
  }
}
