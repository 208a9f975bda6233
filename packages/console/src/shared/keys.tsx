import { Button, Kbd, Modal, Table } from '@mantine/core';
import { useDisclosure, useHotkeys, type HotkeyItem } from '@mantine/hooks';
import { lastTypedAt, SCAN_GAP_MS } from './scanner';

const KEYS: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['/'], does: 'Find an order' },
  { keys: ['j'], does: 'Down to the next row' },
  { keys: ['k'], does: 'Up to the row before' },
  { keys: ['enter'], does: 'Open the row' },
  { keys: ['g'], does: 'Go to today' },
  { keys: ['b'], does: 'Go to the board' },
  { keys: ['a', 'd'], does: 'Go to accounts, to deliveries' },
  { keys: ['c', 'p'], does: 'Go to the catalogue, to prices' },
  { keys: ['u', 's'], does: 'Go to the audit log, to settings' },
  { keys: ['?'], does: 'Show these shortcuts' },
  { keys: ['esc'], does: 'Close, or leave a field' },
];

/** Types of inputs that one chooses with, and types nothing into. */
const CHOOSES: ReadonlySet<string> = new Set(['radio', 'checkbox']);

function isTypedInto(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLInputElement)) return false;
  return !CHOOSES.has(target.type) || target.closest('[role="dialog"]') !== null;
}

/** Keys that do something wherever nobody is typing: Live or Test has the focus once it was clicked, and is no field. */
export function useKeys(keys: readonly HotkeyItem[]): void {
  const heard = keys.map(([key, does, { preventDefault = true } = {}]): HotkeyItem => {
    const pressed = (event: KeyboardEvent): void => {
      if (isTypedInto(event.target)) return;
      if (preventDefault) event.preventDefault();
      if (event.repeat) return does(event);
      // Another key within this time makes both a scan.
      setTimeout(() => lastTypedAt() === event.timeStamp && does(event), SCAN_GAP_MS);
    };
    return [key, pressed, { preventDefault: false }];
  });
  useHotkeys(heard, ['TEXTAREA', 'SELECT']);
}

export function Keys() {
  const [opened, { open, close }] = useDisclosure(false);
  useKeys([
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
            {KEYS.map(({ keys, does }) => (
              <Table.Tr key={does}>
                <Table.Th scope="row" w={90}>
                  {keys.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
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
