/** Why the sign-in page is shown, and the address to return to. */
export interface SignInReason {
  to?: string;
  ended?: 'yes';
  another?: 'yes';
}

let isUnloading = false;

/** Whether the page is being replaced, because its person has no session any more. */
export const isLeaving = (): boolean => isUnloading;

/** Loads another page, which discards everything that the session has read. Of several the first one counts. */
export function replacePage(url: string): void {
  if (isUnloading) return;
  isUnloading = true;
  location.replace(url);
}

/** Loads the sign-in page. */
export function leave(reason: SignInReason): void {
  const search = new URLSearchParams({ ...reason }).toString();
  replacePage(search === '' ? '/sign-in' : `/sign-in?${search}`);
}
