/** Somebody who did nothing for so long may have left the desk. */
const AWAY_MS = 60_000;
const SIGNS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

let seenAt = Date.now();
for (const sign of SIGNS) {
  addEventListener(sign, () => (seenAt = Date.now()), { capture: true, passive: true });
}

/** Whether somebody is at the page: what it asks for by itself must not keep a forgotten browser signed in (ruling 66). */
export const isAttended = (): boolean => Date.now() - seenAt < AWAY_MS;
