import { useEffect, useLayoutEffect, useRef } from 'react';

export interface OpenDialog {
  /** Closes it, or asks first. Escape and the browser's Back call it for the topmost dialog. */
  dismiss: () => void;
  /** Whether closing it discards something that was typed or is shown only once. */
  isUnsaved: () => boolean;
}

/** The topmost dialog is the last one. */
const openDialogs: { readonly current: OpenDialog }[] = [];

/** Counts a dialog while the component is shown. */
export function useOpenDialog(dialog: OpenDialog): void {
  const latest = useRef(dialog);
  useLayoutEffect(() => {
    latest.current = dialog;
  });
  useLayoutEffect(() => {
    openDialogs.push(latest);
    return () => void openDialogs.splice(openDialogs.indexOf(latest), 1);
  }, []);
}

/** How many components of the page have typed input. */
let typedOnPage = 0;

/** Counts typed input outside of dialogs. */
export function useTypedOnPage(isTyped: boolean): void {
  useEffect(() => {
    if (!isTyped) return undefined;
    typedOnPage += 1;
    return () => void (typedOnPage -= 1);
  }, [isTyped]);
}

/** Whether leaving the page would close a dialog or discard typed input. */
export const holdsInput = (): boolean => isDialogOpen() || typedOnPage > 0;

export const isDialogOpen = (): boolean => openDialogs.length > 0;
export const topDialog = (): OpenDialog | undefined => openDialogs.at(-1)?.current;
export const hasUnsavedDialog = (): boolean => openDialogs.some(({ current }) => current.isUnsaved());
