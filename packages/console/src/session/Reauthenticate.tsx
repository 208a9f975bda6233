import { Modal, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { setTokenPrompt } from '../api/reauthentication';
import { callApi, studio } from '../api/studio';
import { TokenForm } from './TokenForm';

/** Above the dialog of the action. */
const Z_INDEX = 300;

/** The dialog that asks for the token again before the session creates a credential. */
export function Reauthenticate() {
  const [opened, setOpened] = useState(false);
  const resolvePrompt = useRef<(entered: boolean) => void>(undefined);
  const close = (entered: boolean): void => {
    setOpened(false);
    resolvePrompt.current?.(entered);
    resolvePrompt.current = undefined;
  };
  const submit = async (token: string): Promise<void> => {
    await callApi(studio.POST('/session/reauthenticate', { body: { token } }));
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
    <Modal opened={opened} onClose={() => close(false)} title="Enter your token again" closeOnClickOutside={false} zIndex={Z_INDEX}>
      <TokenForm
        description="The token you signed in with. It starts with lps_."
        submitLabel="Continue"
        submit={submit}
        cancel={() => close(false)}
      >
        <Text size="sm">For the next five minutes you can create keys, tokens and webhook secrets.</Text>
      </TokenForm>
    </Modal>
  );
}
