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

/** Hears the other tabs. @returns ends it */
export function onTabs(listener: (news: News) => void): () => void {
  const hear = ({ data }: MessageEvent): void => listener(data as News);
  channel.addEventListener('message', hear);
  return () => channel.removeEventListener('message', hear);
}
