import { Button, type ButtonProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';

export function Copy({ text, onCopied, ...props }: ButtonProps & { text: string; onCopied?: () => void; 'aria-label'?: string }) {
  const copy = async (): Promise<void> => {
    const { clipboard } = navigator as Partial<Navigator>; // pages over plain HTTP have none
    const isCopied =
      clipboard !== undefined &&
      (await clipboard.writeText(text).then(
        () => true,
        () => false,
      ));
    notifications.show(isCopied ? { message: 'Copied' } : { message: 'Copying is not allowed. Select the text instead.', color: 'yellow' });
    if (isCopied) onCopied?.();
  };
  return (
    <Button size="xs" variant="default" {...props} onClick={() => void copy()}>
      Copy
    </Button>
  );
}

export function Id({ of: id }: { of: string }) {
  return (
    <span className="anywhere">
      <span className="mono">{id}</span> <Copy text={id} size="compact-xs" aria-label={`Copy ${id}`} />
    </span>
  );
}
