import type { components } from '../generated/studio';

/** The shapes that the studio API answers, by their names in its contract: `Of<'StudioOrder'>`. */
export type Of<Name extends keyof components['schemas']> = components['schemas'][Name];

export type Environment = Of<'Delivery'>['environment'];
export type Role = Of<'Token'>['role'];
