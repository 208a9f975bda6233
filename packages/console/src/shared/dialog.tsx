import { Alert, Button, Group, Modal, type ModalProps, Text } from '@mantine/core';
import { useBlocker, useRouter } from '@tanstack/react-router';
import { createContext, useContext, useEffect, useRef, useState } from 'react';
import { isLeaving } from '../session/leave';
import { focusOn, hasUnsavedDialog, isDialogOpen, isPopupOpen, topDialog, useOpenDialog, useTypedOnPage } from '../session/open-dialogs';

/** The question before a dialog discards input, and its two buttons. */
export interface Unsaved {
  title: string;
  question: string;
  keep: string;
  discard: string;
}

export const TYPED: Unsaved = {
  title: 'Not saved yet',
  question: 'Close and discard what you entered?',
  keep: 'Keep editing',
  discard: 'Discard',
};

interface DialogProps extends Omit<ModalProps, 'onClose' | 'opened'> {
  onClose: () => void;
  /** It cannot be closed now, such as while its request is pending. */
  isLocked?: boolean;
  /** The question to ask before it closes now; null for none. */
  unsaved?: () => Unsaved | null;
}

/** A dialog that asks before Escape, Back, its close button or a reload discards input. It opens at once: typed keys reach its first field. */
export const Dialog = ({ opened, ...props }: DialogProps & { opened: boolean }) => opened && <ShownDialog {...props} />;

const DismissContext = createContext<() => void>(() => {});

/** Closes the dialog around the component, or asks first. */
export const useDismiss = (): (() => void) => useContext(DismissContext);

function ShownDialog({ onClose, isLocked = false, unsaved = () => null, children, ...props }: DialogProps) {
  const [isAsking, setAsking] = useState(false);
  const focused = useRef<Element | null>(null);
  const dismiss = (): void => {
    if (isLocked) return;
    if (unsaved() === null) return onClose();
    if (!isAsking) focused.current = document.activeElement;
    setAsking(true);
  };
  const keep = (): void => {
    setAsking(false);
    focusOn(focused.current);
  };
  const question = isAsking && !isLocked ? unsaved() : null;
  if (isAsking && question === null) setAsking(false); // it was sent or changed back meanwhile
  useOpenDialog({ dismiss, isUnsaved: () => unsaved() !== null });
  return (
    <Modal
      closeOnClickOutside={false}
      {...props}
      opened // its transition would let the first keys through
      onClose={dismiss}
      closeOnEscape={false}
      returnFocus={false}
      closeButtonProps={{ 'aria-label': 'Close', disabled: isLocked }}
    >
      <DismissContext value={dismiss}>
        <div ref={focusFirst}>{children}</div>
        {question !== null && (
          <Alert mt="md" color="yellow" role="alert" title={question.title}>
            <Text size="sm">{question.question}</Text>
            <Group mt="xs" gap="sm">
              <Button size="xs" onClick={keep} autoFocus>
                {question.keep}
              </Button>
              <Button size="xs" variant="outline" color="red" onClick={onClose}>
                {question.discard}
              </Button>
            </Group>
          </Alert>
        )}
      </DismissContext>
    </Modal>
  );
}

/** Mantine's focus trap waits, and keys that are typed meanwhile would be lost. */
const focusFirst = (content: HTMLElement | null): void => focusOn(content?.querySelector('[data-autofocus]'));

/** Connects Escape, the browser's Back and a reload to the dialogs. */
export function useDialogKeys(): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.isComposing && !isPopupOpen()) topDialog()?.dismiss();
    };
    addEventListener('keydown', handleKey, { capture: true });
    return () => removeEventListener('keydown', handleKey, { capture: true });
  }, []);
  useBlocker({
    shouldBlockFn: ({ action }) => {
      if (!isDialogOpen() || isLink(action)) return false;
      topDialog()?.dismiss();
      return true;
    },
    enableBeforeUnload: () => !isLeaving() && hasUnsavedDialog(),
  });
}

/** Whether the page itself navigates, not the browser's Back or Forward. */
const isLink = (action: string): boolean => action === 'PUSH' || action === 'REPLACE';

/** Asks before a navigation or a reload discards what is typed on a page. */
export function AskBeforeLeaving({ isTyped }: { isTyped: boolean }) {
  const { history } = useRouter();
  const [leave, setLeave] = useState<(() => void) | null>(null);
  useTypedOnPage(isTyped);
  // useBlocker drops the fragment, and after Back its resolver waits at the address of the other page.
  useEffect(() => {
    if (!isTyped) return undefined;
    return history.block({
      blockerFn: ({ action, currentLocation: here, nextLocation: { pathname, search, href, state } }) => {
        if (pathname + search === here.pathname + here.search) return false;
        if (isDialogOpen() && !isLink(action)) return false; // Back closes the dialog
        const steps = state.__TSR_index - here.state.__TSR_index;
        const ignoreBlocker = { ignoreBlocker: true };
        if (isLink(action)) setLeave(() => () => history[action === 'PUSH' ? 'push' : 'replace'](href, state, ignoreBlocker));
        else setLeave(() => () => history.go(steps, ignoreBlocker));
        return true;
      },
      enableBeforeUnload: () => !isLeaving(),
    });
  }, [history, isTyped]);
  const stay = (): void => setLeave(null);
  return (
    <Dialog opened={leave !== null} onClose={stay} title="Leave without sending?">
      <Text size="sm">What you entered is then lost.</Text>
      <Group mt="md" justify="flex-end">
        <Button variant="default" onClick={stay} data-autofocus>
          Stay
        </Button>
        <Button color="red" onClick={() => leave?.()}>
          Leave
        </Button>
      </Group>
    </Dialog>
  );
}
