import { useEffect } from 'react';

const open = new Set<symbol>();

/** Counts a dialog that would lose what was typed into it if its screen went away. */
export function useOpenDialog(opened: boolean): void {
  useEffect(() => {
    if (!opened) return undefined;
    const dialog = Symbol('dialog');
    open.add(dialog);
    return () => void open.delete(dialog);
  }, [opened]);
}

export const isDialogOpen = (): boolean => open.size > 0;
