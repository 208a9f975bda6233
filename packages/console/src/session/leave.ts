/** Why the sign-in page is shown, and the address to return to. */
export interface SignInReason {
  to?: string;
  ended?: 'yes';
  another?: 'yes';
}

let isLeaving = false;

/** Loads the sign-in page, which discards everything that the session has read. Of several reasons the first is shown. */
export function leave(reason: SignInReason): void {
  if (isLeaving) return;
  isLeaving = true;
  const search = new URLSearchParams({ ...reason }).toString();
  location.replace(search === '' ? '/sign-in' : `/sign-in?${search}`);
}
