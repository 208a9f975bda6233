import { notifications } from '@mantine/notifications';
import type { AnyRouter } from '@tanstack/react-router';
import { queries } from '../api/queries';
import { showAs } from '../api/studio';

/** Why the sign-in page is shown, and the address to return to. */
export type Why = {
  to?: string;
  ended?: 'yes';
  another?: 'yes';
};

let leaving: Promise<void> | undefined;

/**
 * Goes to the sign-in page and clears everything that the session has read, so that "back" shows nothing of it. Of several reasons the first
 * is shown.
 */
export function leave(router: AnyRouter, why: Why): Promise<void> {
  leaving ??= clearSession(router, why).finally(() => (leaving = undefined));
  return leaving;
}

async function clearSession(router: AnyRouter, search: Why): Promise<void> {
  await router.navigate({ to: '/sign-in', search, replace: true });
  notifications.clean();
  // The sign-in page's own query belongs to no session.
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'whoever' });
  queries.getMutationCache().clear();
  router.clearCache();
  showAs(null);
}
