import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { invalidateNouns } from '../live/nouns';
import { playTone } from './tone';

/** How long a step can be undone from its toast. */
export const UNDO_MS = 10_000;

interface Toast {
  message: string;
  color?: string;
  /** Reverses the step. @throws Refusal */
  undo?: (() => Promise<unknown>) | undefined;
}

/** Reports a finished action in the lower right corner, with a button that undoes it. */
export function showToast({ message, color = 'green', undo }: Toast): void {
  if (undo === undefined) return void notifications.show({ message, color });
  const id = crypto.getRandomValues(new Uint32Array(1)).join('');
  notifications.show({
    id,
    color,
    autoClose: UNDO_MS,
    message: <Undoable message={message} undo={undo} close={() => notifications.hide(id)} />,
  });
}

/** Reports a failure whose screen is not shown any more. It stays until it is closed. */
export const showFailure = (message: string): unknown => notifications.show({ message, color: 'red', autoClose: false });

/** Tells a person who looks at the paper that a scan did nothing. */
export function refuseScan(message: string): void {
  playTone('refused');
  showToast({ message, color: 'red' });
}

/** Refuses a scan that is no code of ours. */
export const refuseUnknownScan = (text: string): void => refuseScan(`“${shortened(text)}” is not an order number. Scan a job sheet.`);

const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

function Undoable({ message, undo, close }: Required<Pick<Toast, 'message'>> & Toast & { close: () => void }) {
  const queries = useQueryClient();
  const undoing = useMutation({
    mutationFn: async () => undo?.(),
    onSuccess: async () => {
      close();
      playTone('undone');
      showToast({ message: 'Undone', color: 'gray' });
      await invalidateNouns(queries);
    },
    onError: (error) => {
      close();
      playTone('refused');
      showToast({ message: `Not undone: ${error.message}`, color: 'red' });
    },
  });
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">{message}</Text>
      <Button size="compact-sm" variant="default" loading={undoing.isPending} onClick={() => undoing.mutate()}>
        Undo
      </Button>
    </Group>
  );
}
