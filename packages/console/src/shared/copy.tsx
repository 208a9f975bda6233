import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';

export function Copy({ text, label = 'Copy', copied }: { text: string; label?: string; copied?: () => void }) {
  const onClick = async (): Promise<void> => {
    if (await copy(text)) copied?.();
  };
  return (
    <Button size="xs" variant="default" onClick={() => void onClick()}>
      {label}
    </Button>
  );
}

/** Pages over plain HTTP have no clipboard. @returns whether the text was copied */
async function copy(text: string): Promise<boolean> {
  const { clipboard } = navigator as Partial<Navigator>;
  const write = async (): Promise<boolean> => {
    if (clipboard === undefined) return false;
    await clipboard.writeText(text);
    return true;
  };
  const copied = await write().catch(() => false);
  notifications.show(copied ? { message: 'Copied' } : { message: 'Copying is not allowed. Select the text instead.', color: 'yellow' });
  return copied;
}

export function Id({ of: id }: { of: string }) {
  return (
    <span className="anywhere">
      <span className="mono">{id}</span>{' '}
      <Button size="compact-xs" variant="default" aria-label={`Copy ${id}`} onClick={() => void copy(id)}>
        Copy
      </Button>
    </span>
  );
}
