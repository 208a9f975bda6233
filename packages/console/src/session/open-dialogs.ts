import { useEffect } from 'react';

const open = new Set<symbol>();

/** Counts an open dialog, whose input a navigation would lose. */
export function useOpenDialog(opened: boolean): void {
  useEffect(() => {
    if (!opened) return undefined;
    const dialog = Symbol('dialog');
    open.add(dialog);
    return () => void open.delete(dialog);
  }, [opened]);
}

export const isDialogOpen = (): boolean => open.size > 0;
