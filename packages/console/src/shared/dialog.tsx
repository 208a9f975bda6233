import { Alert, Button, Group, Modal, type ModalProps, Text } from '@mantine/core';
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { createContext, useContext, useEffect, useRef, useState } from 'react';
import { isLeaving } from '../session/leave';
import { hasUnsavedDialog, isDialogOpen, topDialog, useOpenDialog, useTypedOnPage } from '../session/open-dialogs';

/** What closing a dialog would discard, in words. */
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
  /** What closing it now would discard; null for nothing. */
  unsaved?: () => Unsaved | null;
}

/** A dialog that asks before Escape, Back, its close button or a reload discards input. It opens at once: typed keys reach its first field. */
export const Dialog = ({ opened, ...props }: DialogProps & { opened: boolean }) => opened && <ShownDialog {...props} />;

const DismissContext = createContext<() => void>(() => {});

/** Closes the dialog around the component, or asks first. */
export const useDismiss = (): (() => void) => useContext(DismissContext);

function ShownDialog({ onClose, isLocked = false, unsaved = () => null, children, ...props }: DialogProps) {
  const [question, ask] = useState<Unsaved | null>(null);
  const focused = useRef<Element | null>(null);
  const dismiss = (): void => {
    if (isLocked) return;
    const lost = unsaved();
    if (lost === null) return onClose();
    focused.current = document.activeElement;
    ask(lost);
  };
  const keep = (): void => {
    ask(null);
    focus(focused.current);
  };
  useOpenDialog({ dismiss, isUnsaved: () => unsaved() !== null });
  useFocusReturn();
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

const focus = (element: Element | null): void => {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
};

/** Mantine's focus trap waits, and keys that are typed meanwhile would be lost. */
const focusFirst = (content: HTMLElement | null): void => focus(content?.querySelector('[data-autofocus]') ?? null);

/** Returns the focus to the element that had it before. */
export function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(() => () => focus(before), [before]);
}

/** Whether a calendar, list or menu is open. Mantine keeps closed lists in the page. */
const isPopupOpen = (): boolean =>
  [...document.querySelectorAll('[data-position][class*="-dropdown"]')].some((popup) => popup.checkVisibility());

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
      if (!isDialogOpen() || action === 'PUSH' || action === 'REPLACE') return false;
      topDialog()?.dismiss();
      return true;
    },
    enableBeforeUnload: () => !isLeaving() && hasUnsavedDialog(),
  });
}

/** Asks before a navigation or a reload discards what is typed on a page. */
export function AskBeforeLeaving({ isTyped }: { isTyped: boolean }) {
  const navigate = useNavigate();
  const [target, setTarget] = useState<{ pathname: string; search: object } | null>(null);
  useTypedOnPage(isTyped);
  useBlocker({
    shouldBlockFn: ({ next }) => {
      if (!isTyped || isDialogOpen()) return false;
      setTarget(next);
      return true;
    },
    enableBeforeUnload: () => !isLeaving() && isTyped,
  });
  const stay = (): void => setTarget(null);
  return (
    <Dialog opened={target !== null} onClose={stay} title="Leave without sending?">
      <Text size="sm">What you entered is then lost.</Text>
      <Group mt="md" justify="flex-end">
        <Button variant="default" onClick={stay} data-autofocus>
          Stay
        </Button>
        <Button color="red" onClick={() => void navigate({ to: target?.pathname, search: target?.search as never, ignoreBlocker: true })}>
          Leave
        </Button>
      </Group>
    </Dialog>
  );
}
