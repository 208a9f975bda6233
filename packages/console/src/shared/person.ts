import { ownValue } from './own-value';

/** Names for people of the token in the service's settings, and of the publisher of the first price book. */
const NAMES: Readonly<Record<string, string>> = { STUDIO_ADMIN_TOKEN: 'First admin', seed: 'First set-up' };

/** The name of an actor. Show the original name on hover. */
export const personName = (name: string): string => ownValue(NAMES, name) ?? name;
