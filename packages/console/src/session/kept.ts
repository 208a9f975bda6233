/** Where the tab's storage is full or refused, at least for as long as the page is open. */
const inMemory = new Map<string, string>();

/** What somebody works on, kept in this tab: of one person, by their token's id, and shown to nobody else. */
export function keptText(tokenId: string, what: string): string | null {
  const key = keyOf(tokenId, what);
  try {
    return sessionStorage.getItem(key) ?? inMemory.get(key) ?? null;
  } catch {
    return inMemory.get(key) ?? null;
  }
}

export function keepText(tokenId: string, what: string, text: string): void {
  const key = keyOf(tokenId, what);
  inMemory.set(key, text);
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // It is in memory.
  }
}

/** Forgets all that this tab keeps of somebody who has signed out. */
export function forgetKept(tokenId: string): void {
  const begin = keyOf(tokenId, '');
  for (const key of inMemory.keys()) if (key.startsWith(begin)) inMemory.delete(key);
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(begin)) sessionStorage.removeItem(key);
  } catch {
    // Then it has nothing.
  }
}

const keyOf = (tokenId: string, what: string): string => `studio-kept ${tokenId} ${what}`;
