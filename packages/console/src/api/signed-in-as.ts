/** The token of the person whom this page shows; null: nobody yet. */
let shown: string | null = null;

/** Whom the page shows: every request says so, and the API refuses what the cookie would do as somebody else (ruling 66). */
export const signedInAs = (): string | null => shown;
export const showAs = (tokenId: string | null): void => void (shown = tokenId);

/** Who is signed in is asked without it, and whoever signs in or out does so as whoever they are. */
export const isOfAnybody = (path: string): boolean => path === '/session';
