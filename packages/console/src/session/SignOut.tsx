import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { queries } from '../api/queries';
import { statusLabel } from '../shared/words';
import { Dialog } from '../shared/dialog';
import { ErrorAlert } from '../shared/feedback';
import { deleteStoredTexts } from './stored-text';
import { leave } from './leave';
import { sessionQuery, SESSION_CHANGE, signOut, useSession } from './session';
import { notifyTabs } from './tabs';

/** Ends the session, then leaves the page. If ending fails, the page stays and says so. */
export function SignOut() {
  const { tokenId, name, role } = useSession();
  const leaving = useMutation({
    mutationKey: SESSION_CHANGE,
    mutationFn: signOut,
    onSuccess: () => {
      deleteStoredTexts(tokenId);
      notifyTabs({ event: 'signed out', tokenId });
      leave({});
    },
    // If only the response was lost, the session has ended.
    onError: () => queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  return (
    <>
      <Button size="compact-sm" variant="default" fullWidth loading={leaving.isPending} onClick={() => leaving.mutate()}>
        Sign out
      </Button>
      <Dialog opened={leaving.isError} onClose={leaving.reset} title="You are not signed out">
        <Stack>
          <Text size="sm">
            Your sign-in is still open as {name} ({statusLabel(role)}).
          </Text>
          <ErrorAlert error={leaving.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={leaving.reset}>
              Stay signed in
            </Button>
            <Button onClick={() => leaving.mutate()}>Sign out: send again</Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
