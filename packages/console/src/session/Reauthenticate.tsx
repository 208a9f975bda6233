import { Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { setTokenPrompt } from '../api/reauthentication';
import { callApi, studio } from '../api/studio';
import { Dialog, TYPED } from '../shared/dialog';
import { isSessionEnded } from './session';
import { fetchSession } from './sign-in';
import { TokenForm } from './TokenForm';

/** Above the dialog of the action. */
const Z_INDEX = 300;

/** The dialog that asks for the token again before the session creates a credential. */
export function Reauthenticate() {
  const [opened, setOpened] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const isTyped = (): boolean => (form.current?.querySelector('input')?.value ?? '') !== '';
  const resolvePrompt = useRef<(entered: boolean) => void>(undefined);
  const close = (entered: boolean): void => {
    setOpened(false);
    resolvePrompt.current?.(entered);
    resolvePrompt.current = undefined;
  };
  const submit = async (token: string): Promise<void> => {
    try {
      await callApi(studio.POST('/session/reauthenticate', { body: { token } }));
    } catch (error) {
      if (!(await hasSessionEnded())) throw error;
      // The repeated request reports it.
    }
    close(true);
  };
  useEffect(() => {
    const remove = setTokenPrompt(() => {
      setOpened(true);
      return new Promise((resolve) => (resolvePrompt.current = resolve));
    });
    return () => {
      remove();
      resolvePrompt.current?.(false);
    };
  }, []);
  return (
    <Dialog
      opened={opened}
      onClose={() => close(false)}
      unsaved={() => (isTyped() ? TYPED : null)}
      title="Enter your token again"
      zIndex={Z_INDEX}
    >
      <div ref={form}>
        <TokenForm
          description="The token you signed in with. It starts with lps_."
          submitLabel="Continue"
          submit={submit}
          cancel={() => close(false)}
        >
          <Text size="sm">For the next five minutes you can create keys, tokens and webhook secrets.</Text>
        </TokenForm>
      </div>
    </Dialog>
  );
}

const hasSessionEnded = (): Promise<boolean> => fetchSession().then(() => false, isSessionEnded);
