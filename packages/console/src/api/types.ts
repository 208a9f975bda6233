import type { components, operations } from '../generated/studio';

/** A schema of the contract by its name: `Schema<'StudioOrder'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** The values that this build knows, without later ones. Look up others with `ownValue`. */
export type KnownValue<T extends string> = T extends unknown ? (string extends T ? never : T) : never;

export type Environment = Schema<'Delivery'>['environment'];
export type Role = KnownValue<Schema<'Token'>['role']>;

/** The query and the body of an operation. */
export type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;
export type BodyOf<Name extends keyof operations> = operations[Name] extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;
