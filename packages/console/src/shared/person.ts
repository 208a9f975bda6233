/** Name of the token in the service's settings. */
const FIRST_ADMIN = 'STUDIO_ADMIN_TOKEN';

/** The name of an actor. Show the original name on hover. */
export const personName = (name: string): string => (name === FIRST_ADMIN ? 'First admin' : name);
