import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { queries } from '../api/queries';
import { wordsOf } from '../shared/status';
import { Refused } from '../shared/told';
import { forgetKept } from './kept';
import { leave } from './leave';
import { sessionQuery, SIGN_OUT, signOut, useSession } from './session';
import { notifyTabs } from './tabs';

/** Ends the session. What is shown goes away once it is over, and no sooner: else a session that stands would look like one that ended. */
export function SignOut() {
  const { tokenId, name, role } = useSession();
  const router = useRouter();
  const leaving = useMutation({
    mutationKey: SIGN_OUT,
    mutationFn: signOut,
    onSuccess: async () => {
      forgetKept(tokenId);
      notifyTabs({ event: 'signed out', tokenId });
      await leave(router, {});
    },
    // Where the answer alone got lost, it is over.
    onError: () => queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  return (
    <>
      <Button size="compact-sm" variant="default" fullWidth loading={leaving.isPending} onClick={() => leaving.mutate()}>
        Sign out
      </Button>
      <Modal opened={leaving.isError} onClose={leaving.reset} title="You are not signed out">
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
