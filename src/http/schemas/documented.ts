import Joi from 'joi';
import type { JsonSchema } from './kinds';

/** Converts a schema within the document that is being made. */
type Told = (schema: Joi.Schema) => JsonSchema;

interface Conversion {
  $defs: Record<string, JsonSchema>;
}

const converted =
  (mode: string, options: Conversion): Told =>
  (schema) =>
    (schema as unknown as { $_jsonSchema: (mode: string, options: Conversion) => JsonSchema }).$_jsonSchema(mode, options);

/** A schema of joi's own types that is told to programs as `json` says, where its own conversion would say something else. */
export function documented(schema: Joi.Schema, json: (told: Told) => JsonSchema): Joi.Schema {
  const extended = Joi.extend({
    type: 'documented',
    base: schema,
    jsonSchema: (_schema: Joi.Schema, told: JsonSchema, mode: string, options: Conversion) => ({
      ...told,
      ...json(converted(mode, options)),
    }),
  } as Joi.Extension) as { documented: () => Joi.Schema };
  return extended.documented();
}

/** An object that the contract tells once, under this name, and refers to wherever it is used. */
export function component(name: string, fields: Record<string, Joi.Schema>): Joi.Schema {
  return named(name, Joi.object(fields));
}

/** The same of any schema. */
export function named(name: string, schema: Joi.Schema): Joi.Schema {
  const extended = Joi.extend({
    type: 'component',
    base: schema,
    jsonSchema: (_schema: Joi.Schema, told: JsonSchema, mode: string, options: Conversion) => {
      options.$defs[name] ??= converted(mode, options)(schema);
      return { ...(told.description === undefined ? {} : { description: told.description }), $ref: `#/components/schemas/${name}` };
    },
  } as Joi.Extension) as { component: () => Joi.Schema };
  return extended.component();
}

/** A schema in JSON Schema 2020-12, with the components it refers to. */
export function jsonSchemaOf(schema: Joi.Schema): { schema: JsonSchema; components: Record<string, JsonSchema> } {
  const components: Record<string, JsonSchema> = {};
  return { schema: converted('input', { $defs: components })(schema), components };
}
