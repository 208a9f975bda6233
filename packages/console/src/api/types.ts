import type { components } from '../generated/studio';

/** The shapes that the studio API answers, by their names in its contract: `Of<'StudioOrder'>`. */
export type Of<Name extends keyof components['schemas']> = components['schemas'][Name];

/** The values that this build knows, without those that may come later: keys of a table, what a request takes. Look others up with `known`. */
export type Known<T extends string> = T extends unknown ? (string extends T ? never : T) : never;

export type Environment = Of<'Delivery'>['environment'];
export type Role = Known<Of<'Token'>['role']>;
