import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { askBy } from '../api/reauthentication';
import { ask, studio } from '../api/studio';
import { Refused } from '../shared/told';

/** Above the dialog of the action that waits for it. */
const ABOVE = 300;

/** Asks for the token again before the session creates a credential. */
export function Reauthenticate() {
  const [opened, setOpened] = useState(false);
  const [token, setToken] = useState('');
  const answer = useRef<(entered: boolean) => void>(undefined);
  const entering = useMutation({
    mutationFn: () => ask(studio.POST('/session/reauthenticate', { body: { token: token.trim() } })),
    onSuccess: () => end(true),
  });
  const end = (entered: boolean): void => {
    setOpened(false);
    setToken('');
    answer.current?.(entered);
    answer.current = undefined;
  };
  const { reset } = entering;
  useEffect(() => {
    const remove = askBy(() => {
      reset();
      setOpened(true);
      return new Promise((resolve) => (answer.current = resolve));
    });
    return () => {
      remove();
      answer.current?.(false);
    };
  }, [reset]);
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    // The form is inside no other in the page, but in React's tree it may be.
    event.stopPropagation();
    entering.mutate();
  };
  return (
    <Modal
      opened={opened}
      onClose={() => end(false)}
      title="Enter your token again"
      closeButtonProps={{ 'aria-label': 'Close' }}
      closeOnClickOutside={false}
      zIndex={ABOVE}
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">Keys, tokens and webhook secrets can be made for five minutes after you entered your token.</Text>
          <PasswordInput
            label="Your token"
            description="The one you signed in with. It starts with lps_."
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            onKeyDown={({ key }) => key === 'Escape' && end(false)}
            data-mantine-stop-propagation="true" // Escape closes this dialog, not the one below it
            required
          />
          <Refused error={entering.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => end(false)}>
              Cancel
            </Button>
            <Button type="submit" loading={entering.isPending} disabled={token.trim() === ''}>
              Continue
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
