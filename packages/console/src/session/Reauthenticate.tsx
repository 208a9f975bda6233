import { Modal, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { setTokenPrompt } from '../api/reauthentication';
import { callApi, studio } from '../api/studio';
import { ErrorAlert } from '../shared/feedback';
import { TokenForm } from './TokenForm';

/** Above the dialog of the action. */
const Z_INDEX = 300;

/** The dialog that asks for the token again before the session creates a credential. */
export function Reauthenticate() {
  const [opened, setOpened] = useState(false);
  const resolvePrompt = useRef<(entered: boolean) => void>(undefined);
  const submission = useMutation({
    mutationFn: (token: string) => callApi(studio.POST('/session/reauthenticate', { body: { token } })),
    onSuccess: () => close(true),
  });
  const close = (entered: boolean): void => {
    setOpened(false);
    resolvePrompt.current?.(entered);
    resolvePrompt.current = undefined;
  };
  const { reset } = submission;
  useEffect(() => {
    const remove = setTokenPrompt(() => {
      reset();
      setOpened(true);
      return new Promise((resolve) => (resolvePrompt.current = resolve));
    });
    return () => {
      remove();
      resolvePrompt.current?.(false);
    };
  }, [reset]);
  return (
    <Modal opened={opened} onClose={() => close(false)} title="Enter your token again" closeOnClickOutside={false} zIndex={Z_INDEX}>
      <TokenForm
        description="The token you signed in with. It starts with lps_."
        submitLabel="Continue"
        submit={submission.mutate}
        isPending={submission.isPending}
        cancel={() => close(false)}
        result={<ErrorAlert error={submission.error} />}
      >
        <Text size="sm">You can then create keys, tokens and webhook secrets for five minutes.</Text>
      </TokenForm>
    </Modal>
  );
}
