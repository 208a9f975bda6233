import Joi from 'joi';
import type { JsonSchema } from './field-kinds';
import { bodySchema, type Field, type Fields, type ValuesOf } from './text';

/** Converts a schema within the document. */
type ToJsonSchema = (schema: Joi.Schema) => JsonSchema;

interface ConversionOptions {
  $defs: Record<string, JsonSchema>;
}

const jsonSchemaConverter =
  (mode: string, options: ConversionOptions): ToJsonSchema =>
  (schema) =>
    (schema as unknown as { $_jsonSchema: (mode: string, options: ConversionOptions) => JsonSchema }).$_jsonSchema(mode, options);

/** Overrides the conversion of a joi schema. */
export function withJsonSchema<T>(schema: Field<T>, json: (base: ToJsonSchema) => JsonSchema): Field<T> {
  const extended = Joi.extend({
    type: 'documented',
    base: schema,
    jsonSchema: (_schema: Joi.Schema, base: JsonSchema, mode: string, options: ConversionOptions) => ({
      ...base,
      ...json(jsonSchemaConverter(mode, options)),
    }),
  } as Joi.Extension) as { documented: () => Field<T> };
  return extended.documented();
}

/** An object that the contract describes once as a component of this name. Its fields are as in `bodySchema`. */
export function objectComponent<F extends Fields>(name: string, fields: F): Field<ValuesOf<F>> {
  const schema = bodySchema(fields);
  const extended = Joi.extend({
    type: 'component',
    base: schema,
    jsonSchema: (_schema: Joi.Schema, base: JsonSchema, mode: string, options: ConversionOptions) => {
      options.$defs[name] ??= jsonSchemaConverter(mode, options)(schema);
      return { ...(base.description === undefined ? {} : { description: base.description }), $ref: `#/components/schemas/${name}` };
    },
  } as Joi.Extension) as { component: () => Field<ValuesOf<F>> };
  return extended.component();
}

/** Converts to JSON Schema 2020-12, with the referenced components. */
export function jsonSchemaOf(schema: Joi.Schema): { schema: JsonSchema; components: Record<string, JsonSchema> } {
  const components: Record<string, JsonSchema> = {};
  return { schema: jsonSchemaConverter('input', { $defs: components })(schema), components };
}
