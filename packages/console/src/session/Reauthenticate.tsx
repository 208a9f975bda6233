import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { setTokenPrompt } from '../api/reauthentication';
import { callApi, studio } from '../api/studio';
import { ErrorAlert } from '../shared/feedback';
import { TokenInput } from './TokenInput';

/** Above the dialog of the action. */
const Z_INDEX = 300;

/** The dialog that asks for the token again before the session creates a credential. */
export function Reauthenticate() {
  const [opened, setOpened] = useState(false);
  const [token, setToken] = useState('');
  const resolvePrompt = useRef<(entered: boolean) => void>(undefined);
  const submission = useMutation({
    mutationFn: () => callApi(studio.POST('/session/reauthenticate', { body: { token: token.trim() } })),
    onSuccess: () => close(true),
  });
  const close = (entered: boolean): void => {
    setOpened(false);
    setToken('');
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
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    // In React's tree this form may be inside another form.
    event.stopPropagation();
    submission.mutate();
  };
  return (
    <Modal opened={opened} onClose={() => close(false)} title="Enter your token again" closeOnClickOutside={false} zIndex={Z_INDEX}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">You can then create keys, tokens and webhook secrets for five minutes.</Text>
          <TokenInput
            description="The token you signed in with. It starts with lps_."
            token={token}
            set={setToken}
            cancel={() => close(false)}
          />
          <ErrorAlert error={submission.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => close(false)}>
              Cancel
            </Button>
            <Button type="submit" loading={submission.isPending} disabled={token.trim() === ''}>
              Continue
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
