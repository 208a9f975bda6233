import { Button, Kbd, Modal, Table } from '@mantine/core';
import { useDisclosure, useHotkeys, type HotkeyItem } from '@mantine/hooks';
import { lastTypedAt, SCAN_GAP_MS } from './scans';

const KEYS: readonly [key: string, does: string][] = [
  ['Ctrl K', 'Search'],
  ['/', 'Search'],
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['enter', 'Open the row'],
  ['x', 'Select the row'],
  ['g', 'Go to Today'],
  ['b', 'Go to Board'],
  ['t', 'Go to Station'],
  ['a', 'Go to Accounts'],
  ['i', 'Go to Invoices'],
  ['d', 'Go to Webhooks'],
  ['c', 'Go to Catalogue'],
  ['p', 'Go to Prices'],
  ['u', 'Go to Audit'],
  ['s', 'Go to Settings'],
  ['?', 'Show these shortcuts'],
  ['esc', 'Close, or leave a field'],
];

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

export function ShortcutsButton() {
  const [opened, { open, close }] = useDisclosure(false);
  useShortcuts([
    ['?', open],
    ['shift+?', open],
  ]);
  return (
    <>
      <Button size="xs" variant="default" onClick={open} visibleFrom="sm" rightSection={<Kbd size="xs">?</Kbd>}>
        Shortcuts
      </Button>
      <Modal opened={opened} onClose={close} title="Shortcuts">
        <Table>
          <Table.Tbody>
            {KEYS.map(([key, does]) => (
              <Table.Tr key={key}>
                <Table.Th scope="row" w={90}>
                  <Kbd>{key}</Kbd>
                </Table.Th>
                <Table.Td>{does}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Modal>
    </>
  );
}
