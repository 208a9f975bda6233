import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

export interface OpenDialog {
  /** Closes it, or asks first. Escape and the browser's Back call it for the topmost dialog. */
  dismiss: () => void;
  /** Whether closing it discards something that was typed or is shown only once. */
  isUnsaved: () => boolean;
}

interface Entry {
  latest: RefObject<OpenDialog>;
  /** Elements that can have the focus after the dialog, the best first. */
  openers: readonly (Element | null)[];
  /** Calendars, lists and menus that were open before the dialog. */
  popups: readonly Element[];
}

/** The topmost dialog is the last one. */
const openDialogs: Entry[] = [];

/** Counts a dialog while the component is shown. Afterwards the focus returns to the element that had it before. */
export function useOpenDialog(dialog: OpenDialog): void {
  const latest = useRef(dialog);
  const [entry] = useState((): Entry => ({ latest, openers: findOpeners(), popups: findPopups() }));
  useLayoutEffect(() => {
    latest.current = dialog;
  });
  useLayoutEffect(() => {
    openDialogs.push(entry);
    return () => void openDialogs.splice(openDialogs.indexOf(entry), 1);
  }, [entry]);
  useEffect(
    () => () => {
      // Another dialog may have the focus already.
      if (document.activeElement === document.body) focusOn(entry.openers.find((opener) => opener?.isConnected));
    },
    [entry],
  );
}

/** A menu or the palette is gone after it opened a dialog, so its own opener follows. */
function findOpeners(): Entry['openers'] {
  const focused = document.activeElement;
  const menuButton = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby') ?? '';
  return [focused, document.getElementById(menuButton), ...(openDialogs.at(-1)?.openers ?? [])];
}

/** Mantine keeps closed lists in the page. */
const findPopups = (): Element[] =>
  [...document.querySelectorAll('[data-position][class*="-dropdown"]')].filter((popup) => popup.checkVisibility());

/** Whether a calendar, list or menu of the topmost dialog is open. */
export const isPopupOpen = (): boolean => findPopups().some((popup) => openDialogs.at(-1)?.popups.includes(popup) === false);

export const focusOn = (element: Element | null | undefined): void => {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
};

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
export const topDialog = (): OpenDialog | undefined => openDialogs.at(-1)?.latest.current;
export const hasUnsavedDialog = (): boolean => openDialogs.some(({ latest }) => latest.current.isUnsaved());
