/** An id of the sender's own, for one action: sent again, it does nothing twice. Not randomUUID, which a page over plain HTTP lacks. */
export function newSenderId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `console-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
