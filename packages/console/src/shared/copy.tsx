import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';

export function Copy({ text, label = 'Copy', copied }: { text: string; label?: string; copied?: () => void }) {
  const [shown, show] = useState(label);
  const onClick = async (): Promise<void> => {
    const isCopied = await copy(text);
    show(isCopied ? 'Copied' : 'Select it instead');
    if (isCopied) copied?.();
  };
  return (
    <Button size="xs" variant="default" onClick={() => void onClick()}>
      {shown}
    </Button>
  );
}

/** Over plain HTTP a page has no clipboard: then one selects the text and copies it. @returns whether it was copied */
async function copy(text: string): Promise<boolean> {
  const { clipboard } = navigator as Partial<Navigator>;
  const write = async (): Promise<boolean> => {
    if (clipboard === undefined) return false;
    await clipboard.writeText(text);
    return true;
  };
  const copied = await write().catch(() => false);
  notifications.show(copied ? { message: 'Copied' } : { message: 'This page may not copy: select the text instead', color: 'yellow' });
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
