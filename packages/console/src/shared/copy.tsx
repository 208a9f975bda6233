import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';

/** Puts a text where one can paste it from. */
export function Copy({ text, label = 'Copy' }: { text: string; label?: string }) {
  return (
    <Button size="xs" variant="default" onClick={() => void copy(text)}>
      {label}
    </Button>
  );
}

/** Over plain HTTP a page has no clipboard: then one selects the text and copies it. */
export async function copy(text: string): Promise<void> {
  const copied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  notifications.show(copied ? { message: 'Copied' } : { message: 'This page may not copy: select the text instead', color: 'yellow' });
}
