/** What the service calls whoever has the token it was started with. */
const FIRST_ADMIN = 'STUDIO_ADMIN_TOKEN';

/** Whoever did something, as people say it; show the name itself on hover. */
export const personName = (name: string): string => (name === FIRST_ADMIN ? "The studio's first admin" : name);
