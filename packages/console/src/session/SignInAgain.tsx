import { Button, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorAlert } from '../shared/feedback';
import { isDialogOpen } from './open-dialogs';
import { SESSION_CHANGE, useHasEnded, useSession } from './session';
import { signIn } from './sign-in';
import { notifyTabs } from './tabs';
import { TokenInput } from './TokenInput';

/** Above every other dialog, and above the dialog that asks for the token again. */
const Z_INDEX = 400;

/** Covers the page if the session has ended while a dialog is open. The same person continues; another one reloads the page. */
export function SignInAgain() {
  const opened = useHasEnded() && isDialogOpen();
  const { tokenId, name } = useSession();
  const [token, setToken] = useState('');
  const queries = useQueryClient();
  const entering = useMutation({
    mutationKey: SESSION_CHANGE,
    mutationFn: async () => {
      const here = location.href;
      const entered = await signIn(token.trim());
      notifyTabs({ event: 'signed in', tokenId: entered });
      if (entered !== tokenId) location.assign(here);
    },
    onSuccess: async () => {
      setToken('');
      await queries.invalidateQueries();
    },
  });
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    entering.mutate();
  };
  return (
    <Modal
      opened={opened}
      onClose={() => {}}
      title="Your sign-in has ended"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      fullScreen
      zIndex={Z_INDEX}
    >
      <form onSubmit={submit}>
        <Stack maw={440}>
          <Text size="sm">Sign in as {name} to continue with the open form. Another person discards it.</Text>
          <TokenInput token={token} set={setToken} />
          <ErrorAlert error={entering.error} />
          <Button type="submit" loading={entering.isPending} disabled={token.trim() === ''}>
            Sign in
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
