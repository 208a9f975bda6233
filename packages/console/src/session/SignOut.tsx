import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Refused } from '../shared/told';
import { wordsOf } from '../shared/status';
import { signOut, useSession } from './session';

/** Ends the session. What is shown goes away once it is over, and no sooner: else a session that stands would look like one that ended. */
export function SignOut() {
  const { name, role } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      await navigate({ to: '/sign-in', replace: true });
      queries.clear();
    },
  });
  return (
    <>
      <Button size="compact-sm" variant="default" fullWidth loading={leaving.isPending} onClick={() => leaving.mutate()}>
        Sign out
      </Button>
      <Modal opened={leaving.isError} onClose={leaving.reset} title="You are not signed out" closeButtonProps={{ 'aria-label': 'Close' }}>
        <Stack>
          <Text size="sm">
            Your sign-in is still open: whoever uses this browser goes on as {name} ({wordsOf(role)}).
          </Text>
          <Refused error={leaving.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={leaving.reset}>
              Stay signed in
            </Button>
            <Button onClick={() => leaving.mutate()}>Sign out: send again</Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
