/** A header of every response. */
export const REQUEST_ID_HEADER = 'Service-Request-Id';
