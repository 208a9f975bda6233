/** Used if the storage of the tab is full or disabled. */
const inMemory = new Map<string, string>();

/** An unsent text of one person, kept in this tab. Other people do not see it. */
export function storedText(tokenId: string, what: string): string | null {
  const key = keyOf(tokenId, what);
  try {
    return sessionStorage.getItem(key) ?? inMemory.get(key) ?? null;
  } catch {
    return inMemory.get(key) ?? null;
  }
}

export function storeText(tokenId: string, what: string, text: string): void {
  const key = keyOf(tokenId, what);
  inMemory.set(key, text);
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // The text is in memory.
  }
}

/** Deletes all texts of a person who has signed out. */
export function deleteStoredTexts(tokenId: string): void {
  const begin = keyOf(tokenId, '');
  for (const key of inMemory.keys()) if (key.startsWith(begin)) inMemory.delete(key);
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(begin)) sessionStorage.removeItem(key);
  } catch {
    // There is no storage to clear.
  }
}

const keyOf = (tokenId: string, what: string): string => `studio-kept ${tokenId} ${what}`;
