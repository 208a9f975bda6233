import type { Page } from 'playwright-core';

/** Time between keys of a barcode scanner, and of a person. */
const KEY_INTERVAL_MS = { scanner: 5, person: 120 } as const;

const lastAtMs = new WeakMap<Page, number>();

/** Puts the times of the next keys two minutes ahead of the clock, so that their pauses stay as given however late they are sent. */
export const getAhead = (page: Page): void => void lastAtMs.set(page, Math.max(lastAtMs.get(page) ?? 0, Date.now()) + 120_000);

/**
 * The page ends a scan after 80 ms without a key, and runs a shortcut 100 ms after its key. A busy page handles the next key later, so these
 * timers are held until all keys are handled.
 */
const HOLD_TIMERS = `window.keyTimers ??= (({ setTimeout, clearTimeout }) => {
  const held = new Map();
  const started = new Map();
  window.setTimeout = (run, ms, ...rest) => {
    if (!window.keyTimers.isHolding || (ms !== 80 && ms !== 100)) return setTimeout(run, ms, ...rest);
    const id = setTimeout(() => undefined);
    held.set(id, () => started.set(id, setTimeout(run, ms, ...rest)));
    return id;
  };
  window.clearTimeout = (id) => {
    held.delete(id);
    clearTimeout(started.get(id) ?? id);
  };
  return {
    isHolding: false,
    start() {
      this.isHolding = false;
      for (const begin of held.values()) begin();
      held.clear();
    },
  };
})(window);
window.keyTimers.isHolding = true;`;

const CTRL = 2;
const KEYS: Readonly<Record<string, { key: string; code: string; windowsVirtualKeyCode: number; text?: string; modifiers?: number }>> = {
  Enter: { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  Tab: { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 },
  // The separator of GS1 elements, as scanners send it.
  '\u001d': { key: ']', code: 'BracketRight', windowsVirtualKeyCode: 221, modifiers: CTRL },
};

const keyEvent = (key: string) => KEYS[key] ?? { key, text: key };

/**
 * Presses keys at the pace of a scanner or a person, or so many ms apart, `pauseMs` after the keys before. The browser gets the times, so the
 * pace is the same on a busy machine.
 */
export async function pressKeys(
  page: Page,
  by: keyof typeof KEY_INTERVAL_MS | number,
  keys: readonly string[],
  pauseMs: number = KEY_INTERVAL_MS.person,
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  if (by !== 'person') await page.evaluate(HOLD_TIMERS);
  let atMs = Math.max((lastAtMs.get(page) ?? 0) + pauseMs, Date.now());
  const sent: Promise<unknown>[] = [];
  for (const key of keys) {
    const timestamp = atMs / 1000;
    for (const type of ['keyDown', 'keyUp'] as const)
      sent.push(session.send('Input.dispatchKeyEvent', { type, ...keyEvent(key), timestamp }));
    // The keys of a scanner are sent without waiting, because the page measures real time after the first one too.
    if (by === 'person') await Promise.all(sent);
    atMs += typeof by === 'number' ? by : KEY_INTERVAL_MS[by];
  }
  lastAtMs.set(page, atMs);
  await Promise.all(sent);
  // The keys may have opened another page, which holds no timers.
  if (by !== 'person') await page.evaluate('window.keyTimers?.start()').catch(() => undefined);
  await session.detach();
}
