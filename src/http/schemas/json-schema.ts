import Joi from 'joi';
import type { JsonSchema } from './field-kinds';

/** Converts a schema within the document that is being made. */
type ToJsonSchema = (schema: Joi.Schema) => JsonSchema;

interface ConversionOptions {
  $defs: Record<string, JsonSchema>;
}

const jsonSchemaConverter =
  (mode: string, options: ConversionOptions): ToJsonSchema =>
  (schema) =>
    (schema as unknown as { $_jsonSchema: (mode: string, options: ConversionOptions) => JsonSchema }).$_jsonSchema(mode, options);

/** A schema of joi's own types that is told to programs as `json` says, where its own conversion would say something else. */
export function withJsonSchema(schema: Joi.Schema, json: (base: ToJsonSchema) => JsonSchema): Joi.Schema {
  const extended = Joi.extend({
    type: 'documented',
    base: schema,
    jsonSchema: (_schema: Joi.Schema, base: JsonSchema, mode: string, options: ConversionOptions) => ({
      ...base,
      ...json(jsonSchemaConverter(mode, options)),
    }),
  } as Joi.Extension) as { documented: () => Joi.Schema };
  return extended.documented();
}

/** An object that the contract tells once, under this name, and refers to wherever it is used. */
export function objectComponent(name: string, fields: Record<string, Joi.Schema>): Joi.Schema {
  return asComponent(name, Joi.object(fields));
}

/** The same of any schema. */
export function asComponent(name: string, schema: Joi.Schema): Joi.Schema {
  const extended = Joi.extend({
    type: 'component',
    base: schema,
    jsonSchema: (_schema: Joi.Schema, base: JsonSchema, mode: string, options: ConversionOptions) => {
      options.$defs[name] ??= jsonSchemaConverter(mode, options)(schema);
      return { ...(base.description === undefined ? {} : { description: base.description }), $ref: `#/components/schemas/${name}` };
    },
  } as Joi.Extension) as { component: () => Joi.Schema };
  return extended.component();
}

/** A schema in JSON Schema 2020-12, with the components it refers to. */
export function jsonSchemaOf(schema: Joi.Schema): { schema: JsonSchema; components: Record<string, JsonSchema> } {
  const components: Record<string, JsonSchema> = {};
  return { schema: jsonSchemaConverter('input', { $defs: components })(schema), components };
}
