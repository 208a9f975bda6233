/** A header of every response (ruling 11). */
export const REQUEST_ID_HEADER = 'Service-Request-Id';
