/** A message from one tab to the other tabs of this browser, which share its cookie. */
interface TabMessage {
  event: 'signed in' | 'signed out';
  tokenId: string;
}

const channel = new BroadcastChannel('studio-session');

/** Call it after the sign-in or sign-out has succeeded. */
// A BroadcastChannel has no `targetOrigin`, so the rule does not apply.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
export const notifyTabs = (message: TabMessage): void => channel.postMessage(message);

/** @returns a function that removes the listener */
export function onTabMessage(listener: (message: TabMessage) => void): () => void {
  const handle = ({ data }: MessageEvent): void => listener(data as TabMessage);
  channel.addEventListener('message', handle);
  return () => channel.removeEventListener('message', handle);
}
