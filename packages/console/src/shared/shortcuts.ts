import { type HotkeyItem, useHotkeys } from '@mantine/hooks';
import { lastTypedAt, SCAN_GAP_MS } from './scans';

/** Types of inputs without text. */
const CHOICES: ReadonlySet<string> = new Set(['radio', 'checkbox']);

function ignoresShortcuts(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLInputElement)) return false;
  return !CHOICES.has(target.type) || target.closest('[role="dialog"]') !== null;
}

/** Shortcuts that work outside of text fields. Mantine's hook would also ignore them while a radio button has the focus, such as the switch between live and test. */
export function useShortcuts(keys: readonly HotkeyItem[]): void {
  const items = keys.map(([key, run, { preventDefault = true } = {}]): HotkeyItem => {
    const handle = (event: KeyboardEvent): void => {
      if (ignoresShortcuts(event.target)) return;
      if (preventDefault) event.preventDefault();
      if (event.repeat) return run(event);
      // If another key follows within this time, a scanner typed both.
      setTimeout(() => lastTypedAt() === event.timeStamp && run(event), SCAN_GAP_MS);
    };
    return [key, handle, { preventDefault: false }];
  });
  useHotkeys(items, ['TEXTAREA', 'SELECT']);
}
