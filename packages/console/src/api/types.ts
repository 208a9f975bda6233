import type { components, operations } from '../generated/studio';

/** The shapes that the studio API answers, by their names in its contract: `Of<'StudioOrder'>`. */
export type Of<Name extends keyof components['schemas']> = components['schemas'][Name];

/** The values that this build knows, without those that may come later: keys of a table, what a request takes. Look others up with `known`. */
export type Known<T extends string> = T extends unknown ? (string extends T ? never : T) : never;

export type Environment = Of<'Delivery'>['environment'];
export type Role = Known<Of<'Token'>['role']>;

/** The query that an operation takes, and the body that it takes. */
export type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;
export type BodyOf<Name extends keyof operations> = operations[Name] extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;
