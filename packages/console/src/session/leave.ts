import { notifications } from '@mantine/notifications';
import type { AnyRouter } from '@tanstack/react-router';
import { queries } from '../api/queries';
import { showAs } from '../api/studio';

/** What one tab tells the others of this browser, which share its cookie. */
interface News {
  did: 'signed in' | 'signed out';
  tokenId: string;
}

const channel = new BroadcastChannel('studio-session');

/** Told to the other tabs, once it is so. */
// A channel is of one origin: there is none to name.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
export const tellTabs = (news: News): void => channel.postMessage(news);

export function onTabs(listener: (news: News) => void): () => void {
  const hear = ({ data }: MessageEvent): void => listener(data as News);
  channel.addEventListener('message', hear);
  return () => channel.removeEventListener('message', hear);
}

export type Why = {
  to?: string;
  ended?: 'yes';
  another?: 'yes';
};

let leaving: Promise<void> | undefined;

/**
 * Leads to the sign-in and puts away all that was shown and read: once a session is over, nothing of it is met by going back. The first
 * reason is the one that is told.
 */
export function leave(router: AnyRouter, why: Why): Promise<void> {
  leaving ??= putAway(router, why).finally(() => (leaving = undefined));
  return leaving;
}

async function putAway(router: AnyRouter, search: Why): Promise<void> {
  await router.navigate({ to: '/sign-in', search, replace: true });
  notifications.clean();
  // What the sign-in itself asks is of nobody.
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'whoever' });
  queries.getMutationCache().clear();
  router.clearCache();
  showAs(null);
}
