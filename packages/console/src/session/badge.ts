import { useSyncExternalStore } from 'react';

/** The person at a station, whose badge was scanned. */
export interface Badge {
  id: string;
  name: string;
  code: string;
}

/** The person may have left after this time without a scan or a step. */
const FORGET_MS = 15 * 60_000;

let current: Badge | null = null;
/** When the badge is forgotten. A tablet that sleeps does not run the timer. */
let forgetAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Sets the person, or forgets them. The page does not keep a badge when it is loaded again. */
export function setBadge(badge: Badge | null): void {
  current = badge;
  startTime();
  for (const notify of listeners) notify();
}

/** Starts the time again after which the badge is forgotten, unless it is over. */
export function keepBadge(): void {
  if (badgeCode() !== null) startTime();
}

function startTime(): void {
  clearTimeout(timer);
  forgetAt = Date.now() + FORGET_MS;
  if (current !== null) timer = setTimeout(() => setBadge(null), FORGET_MS);
}

/** Sent with every request of a station. */
export function badgeCode(): string | null {
  if (current !== null && Date.now() > forgetAt) setBadge(null);
  return current?.code ?? null;
}

export function useBadge(): Badge | null {
  return useSyncExternalStore(subscribe, () => current);
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}
