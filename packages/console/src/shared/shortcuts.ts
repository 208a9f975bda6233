import { type HotkeyItem, useHotkeys } from '@mantine/hooks';
import { useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { isDialogOpen } from '../session/open-dialogs';
import { isScanField, isScanned, SCAN_GAP_MS } from './scans';

/** Types of inputs without text. */
const CHOICES: ReadonlySet<string> = new Set(['radio', 'checkbox']);

const BUSY_MS = 20;

type Runs = 'after the scanner' | 'at once';

/** In the field for scans, a letter begins a barcode. A slow machine can pass its next key on after any wait. */
const ignoresShortcuts = (target: EventTarget | null, runs: Runs): boolean =>
  isDialogOpen() || (target instanceof HTMLInputElement && !CHOICES.has(target.type) && !(runs === 'at once' && isScanField(target)));

/**
 * Shortcuts that work outside of text fields and dialogs. Mantine's hook would also ignore them while a radio button has the focus, such as
 * the switch between live and test. They wait for the next key of a scanner, except for keys that begin no barcode.
 */
export function useShortcuts(keys: readonly HotkeyItem[], runs: Runs = 'after the scanner'): void {
  // A key that waits acts on the state after the keys before it, such as the row that they chose.
  const latest = useRef(keys);
  useLayoutEffect(() => {
    latest.current = keys;
  });
  const items = keys.map(([key, , { preventDefault = true } = {}]): HotkeyItem => {
    const handle = (event: KeyboardEvent): void => {
      if (ignoresShortcuts(event.target, runs)) return;
      if (preventDefault) event.preventDefault();
      // Renders at once: a dialog must count as open before the next key is handled.
      const runNow = (): void => flushSync(() => latest.current.find(([name]) => name === key)?.[1](event));
      if (event.repeat || runs === 'at once') return runNow();
      // If another key follows within the gap, a scanner typed both. A busy page handles it later.
      setTimeout(() => !isScanned(event) && !isDialogOpen() && runNow(), SCAN_GAP_MS + BUSY_MS);
    };
    return [key, handle, { preventDefault: false }];
  });
  useHotkeys(items, ['TEXTAREA', 'SELECT']);
}
